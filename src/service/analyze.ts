/**
 * `pin.analyze`: which expected documents the repositories hold, as coverage rows or as an `EvidenceBrief`. Examines a bounded
 * number of repositories side by side and names what it left out; one that fails is a gap, never the end of the others.
 */
import { buildCoverage } from "../core/brief/coverage.ts";
import { buildEvidenceBrief } from "../core/brief/evidence-brief.ts";
import type { ExaminedDocument, ExaminedRepository, UnexaminedRepository } from "../core/brief/examined.ts";
import { headingsOf, titleOf } from "../core/document/headings.ts";
import { isBinary } from "../core/git/binary.ts";
import { countLines } from "../core/git/lines.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { type AnalyzeInput, type Coverage, type EvidenceBrief, EXPECTED_DOCUMENTS } from "../schema/brief.ts";
import { rangeOf } from "./change-range.ts";
import { nameCommit, type OpenedCommit, openCommit } from "./commit-gate.ts";
import { outcomeOf } from "./item-outcome.ts";
import { locateIn } from "./locate.ts";
import { spell } from "./next.ts";
import type { ServicePorts } from "./service-ports.ts";
import { sideBySide } from "./side-by-side.ts";
import { citationAt } from "./slice.ts";

const REPOSITORIES = 20;

export async function analyze(
  ports: ServicePorts,
  input: AnalyzeInput,
  call: Call,
): Promise<EvidenceBrief | Coverage> {
  const { operation } = input;
  const { names, leftOut } = await scopeOf(ports, input, call);
  refuseMisuse(input, names);
  const outcomes = await sideBySide(names, (name) =>
    outcomeOf(() => examine(ports, name, operation === "brief", call)),
  );
  const repositories = outcomes.flatMap(({ result }) => result ?? []);
  const failed = outcomes.flatMap(({ error }, index): UnexaminedRepository[] =>
    error === null
      ? []
      : [{ repository: names[index] ?? "", reason: `${error.code}: ${error.message} ${error.nextStep}` }],
  );
  const request = {
    repositories,
    unexamined: [...failed, ...leftOut],
    spell: (dotted: string) => spell(dotted, call.spelling),
  };
  if (operation !== "brief") return buildCoverage({ ...request, operation });
  const range =
    input.changeRange === undefined ? null : await rangeOf(ports, names[0] ?? "", input.changeRange, call);
  return buildEvidenceBrief({ ...request, audience: input.audience ?? "technical", range });
}

async function scopeOf(ports: ServicePorts, input: AnalyzeInput, call: Call) {
  const asked = input.repositories ?? (await ports.registry.visible(call.caller)).map((entry) => entry.name);
  const names = [...new Set(asked)];
  const reason = `left out: ${REPOSITORIES} repositories are examined at a time; name this one to have it examined.`;
  return {
    names: names.slice(0, REPOSITORIES),
    leftOut: names.slice(REPOSITORIES).map((repository) => ({ repository, reason })),
  };
}

function refuseMisuse({ operation, audience, changeRange }: AnalyzeInput, names: readonly string[]): void {
  const wrong = (field: string, problem: string, nextStep: string) =>
    new GitpinError("invalid_argument", `${field} ${problem}.`, nextStep, { field });
  if (operation !== "brief" && audience !== undefined) {
    throw wrong("audience", "belongs to a brief", "Leave audience out, or ask for operation brief.");
  }
  if (changeRange === undefined) return;
  if (operation !== "brief") {
    throw wrong("changeRange", "belongs to a brief", "Leave changeRange out, or ask for operation brief.");
  }
  if (names.length !== 1) {
    throw wrong("changeRange", "needs exactly one repository", "Name that one repository in repositories.");
  }
}

async function examine(
  ports: ServicePorts,
  repository: string,
  read: boolean,
  call: Call,
): Promise<ExaminedRepository> {
  const opened = await openCommit(await nameCommit(ports, call, { repository }));
  const documents: ExaminedDocument[] = [];
  for (const sourcePath of EXPECTED_DOCUMENTS) {
    documents.push(await examineDocument(ports, opened, sourcePath, read));
  }
  return {
    repository: opened.entry.name,
    commitSha: opened.commitSha,
    ref: opened.head?.ref ?? null,
    documents,
  };
}

async function examineDocument(
  ports: ServicePorts,
  opened: OpenedCommit,
  sourcePath: string,
  read: boolean,
): Promise<ExaminedDocument> {
  const none = { sourcePath, citation: null, title: null, totalLines: null };
  const located = await locateIn(opened, sourcePath);
  const { outcome } = located;
  if (outcome.status !== "ok") return { ...none, state: outcome.status };
  const { kind, id } = outcome.found.entry;
  if (kind === "directory" || kind === "submodule") return { ...none, state: "missing" };
  if (!outcome.policy.exposesDocument(sourcePath)) return { ...none, state: "blocked" };
  const found = { sourcePath, state: "found" as const, citation: citationAt(ports, located, null, "ok") };
  if (!read || kind === "symlink") return { ...found, title: null, totalLines: null };
  const bytes = await opened.reader.blob(id);
  const text = isBinary(bytes) ? "" : new TextDecoder().decode(bytes);
  return { ...found, title: titleOf(headingsOf(sourcePath, text)), totalLines: countLines(bytes) };
}
