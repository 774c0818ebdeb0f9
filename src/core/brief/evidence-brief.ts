/**
 * Builds an `EvidenceBrief` from what was examined. Pure: same input, same brief; the audience changes `presentation` and
 * `audience` and nothing else. Infers nothing.
 */
import { type Audience, BRIEF_CHANGES, type EvidenceBrief, EXPECTED_DOCUMENTS } from "../../schema/brief.ts";
import type { Citation } from "../../schema/citation.ts";
import type { NextCall } from "../../schema/common.ts";
import { compareByteOrder } from "../change/byte-order.ts";
import { envelopeOf } from "../evidence/envelope.ts";
import { evidenceSetId } from "../evidence/evidence-set-id.ts";
import {
  type ExaminedRange,
  type ExaminedRepository,
  UNEXAMINED_NAMED,
  type UnexaminedRepository,
} from "./examined.ts";
import { presentFor } from "./presentation.ts";
import {
  changeStatement,
  documentStatement,
  furtherUnexaminedStatement,
  leftOutStatement,
  noChangeStatement,
  unexaminedStatement,
} from "./statements.ts";

export interface BriefRequest {
  audience: Audience;
  /** In whatever order; the brief names them in byte order. */
  repositories: readonly ExaminedRepository[];
  unexamined: readonly UnexaminedRepository[];
  range: ExaminedRange | null;
  /** Spells a dotted tool name as the caller does. */
  spell: (dotted: string) => string;
}

/** Most items that one verification takes. */
const VERIFY_ITEMS = 8;

const RECIPE =
  "SHA-256 over one line per cited fact, `repository TAB path TAB sha TAB TAB LF` (path percent-encoded as in a cite, both line fields empty: whole files), sorted by bytes, duplicates once.";

export function buildEvidenceBrief(request: BriefRequest): EvidenceBrief {
  const { audience, range, spell } = request;
  const byName = (a: { repository: string }, b: { repository: string }) =>
    compareByteOrder(a.repository, b.repository);
  const repositories = [...request.repositories].sort(byName);
  const unexamined = [...request.unexamined].sort(byName);
  const documents = repositories.flatMap((repository) =>
    repository.documents.map((document) => ({
      found: document.state === "found",
      statement: documentStatement(repository, document),
    })),
  );
  const shown = (range?.changes ?? []).slice(0, BRIEF_CHANGES);
  const changes =
    range === null
      ? []
      : range.total === 0
        ? [noChangeStatement(range)]
        : shown.map((change) => changeStatement(range, change));
  const documentFacts = documents.filter(({ found }) => found).map(({ statement }) => statement);
  const knownFacts = [...documentFacts, ...changes];
  const gaps = [
    ...documents.filter(({ found }) => !found).map(({ statement }) => statement),
    ...(range !== null && range.total > shown.length
      ? [leftOutStatement(range, shown.length, spell("pin.compare"))]
      : []),
    ...unexamined.slice(0, UNEXAMINED_NAMED).map(unexaminedStatement),
    ...(unexamined.length > UNEXAMINED_NAMED
      ? [furtherUnexaminedStatement(unexamined.length - UNEXAMINED_NAMED)]
      : []),
  ];
  const citations = knownFacts.flatMap(({ trace }) => (trace.citation === null ? [] : [trace.citation]));
  const nextSafeAction = safeAction(citations, repositories, spell);
  return {
    ...envelopeOf("EvidenceBrief"),
    type: "EvidenceBrief",
    schemaVersion: 1,
    evidenceSetId: evidenceSetId(citations),
    audience,
    presentation: presentFor(audience, { documents: documentFacts, changes, gaps }, repositories.length),
    scope: {
      repositories: repositories.map(({ repository, commitSha, ref }) => ({ repository, commitSha, ref })),
      changeRange:
        range === null ? null : { repository: range.repository, base: range.base, head: range.head },
    },
    knownFacts,
    gaps,
    inferences: [],
    nextSafeAction,
    technicalTrace: {
      expectedDocuments: [...EXPECTED_DOCUMENTS],
      evidenceSetRecipe: RECIPE,
      changesTotal: range?.total ?? null,
      changesShown: shown.length,
      commands: citations.map((citation) => citation.verify.gitShow),
    },
    next: nextSafeAction.call,
  };
}

/** What can be done without assuming anything: check what is cited, or look at what there is. */
function safeAction(
  citations: readonly Citation[],
  repositories: readonly ExaminedRepository[],
  spell: BriefRequest["spell"],
): { statement: string; call: NextCall } {
  const servable = citations.filter(({ provenance }) => provenance.startsWith("git-"));
  // A document that also changed in the range is cited twice and checked once.
  const checkable = [...new Map(servable.map((citation) => [citation.handle, citation])).values()];
  const items = checkable.slice(0, VERIFY_ITEMS).map(({ repository, sourcePath, commitSha }) => ({
    repository,
    sourcePath,
    sha: commitSha,
  }));
  const first = repositories[0];
  if (items.length > 0) {
    const which =
      items.length < checkable.length ? `the first ${items.length} of ${checkable.length}` : "the";
    return {
      statement: `Re-check ${which} cited files before you rely on them.`,
      call: { tool: spell("pin.verify_set"), arguments: { items } },
    };
  }
  if (first !== undefined) {
    return {
      statement: "No fact is cited: list what the repository holds, and say that the rest is missing.",
      call: { tool: spell("pin.read"), arguments: { repository: first.repository, sha: first.commitSha } },
    };
  }
  return {
    statement: "No repository was examined: see which there are and why.",
    call: { tool: spell("pin.catalog"), arguments: {} },
  };
}
