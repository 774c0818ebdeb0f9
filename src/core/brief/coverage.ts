/** Which expected documents each repository has and lacks, for `gaps` and `compare` of `pin.analyze`. Reads nothing itself. */
import { type Coverage, type CoverageRow, EXPECTED_DOCUMENTS } from "../../schema/brief.ts";
import { compareByteOrder } from "../change/byte-order.ts";
import { envelopeOf } from "../evidence/envelope.ts";
import { type ExaminedRepository, UNEXAMINED_NAMED, type UnexaminedRepository } from "./examined.ts";

export interface CoverageRequest {
  operation: "gaps" | "compare";
  repositories: readonly ExaminedRepository[];
  unexamined: readonly UnexaminedRepository[];
  /** Spells a dotted tool name as the caller does. */
  spell: (dotted: string) => string;
}

/**
 * `gaps` keeps the rows that lack something; `compare` keeps all. Most lacking first, then by name; repositories that could
 * not be examined come last, the first `UNEXAMINED_NAMED` by name, and are never counted as lacking.
 */
export function buildCoverage({ operation, repositories, unexamined, spell }: CoverageRequest): Coverage {
  const examined = repositories
    .map(examinedRow)
    .sort((a, b) => b.lacking.length - a.lacking.length || compareByteOrder(a.repository, b.repository));
  const others = unexamined.map(unexaminedRow).sort((a, b) => compareByteOrder(a.repository, b.repository));
  const kept = operation === "gaps" ? examined.filter(({ lacking }) => lacking.length > 0) : examined;
  const byName = [...examined].sort((a, b) => compareByteOrder(a.repository, b.repository));
  const withState = (sourcePath: string, found: boolean): string[] =>
    byName
      .filter(({ documents }) =>
        documents.some((one) => one.sourcePath === sourcePath && (one.state === "found") === found),
      )
      .map(({ repository }) => repository);
  return {
    ...envelopeOf("coverage"),
    operation,
    expectedDocuments: [...EXPECTED_DOCUMENTS],
    rows: [...kept, ...others.slice(0, UNEXAMINED_NAMED)],
    byDocument: EXPECTED_DOCUMENTS.map((sourcePath) => ({
      sourcePath,
      has: withState(sourcePath, true),
      lacks: withState(sourcePath, false),
    })),
    examined: examined.length,
    notExamined: others.length,
    next:
      examined.length === 0
        ? { tool: spell("pin.catalog"), arguments: {} }
        : {
            tool: spell("pin.analyze"),
            arguments: {
              operation: "brief",
              repositories: byName.slice(0, 20).map(({ repository }) => repository),
            },
          },
  };
}

/** Only documents that were looked for: one that was not is neither had nor lacked. */
function examinedRow({ repository, commitSha, documents }: ExaminedRepository): CoverageRow {
  const rows = documents.map(({ sourcePath, state, citation }) => ({
    sourcePath,
    state,
    citation: state === "found" ? citation : null,
  }));
  const lacking = rows.filter(({ state }) => state !== "found").map(({ sourcePath }) => sourcePath);
  return {
    repository,
    commitSha,
    documents: rows,
    found: rows.length - lacking.length,
    lacking,
    reason: null,
  };
}

const unexaminedRow = ({ repository, reason }: UnexaminedRepository): CoverageRow => ({
  repository,
  commitSha: null,
  documents: [],
  found: 0,
  lacking: [],
  reason,
});
