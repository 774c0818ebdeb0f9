/**
 * The search of one repository at one commit: gate, engine, and the row that says what was searched. Policy of HEAD and of
 * the commit both apply, as everywhere. A commit that is missing or blocked is a result; what fails is thrown.
 */
import type { SearchOutcome } from "../core/search/search-run.ts";
import type { Call } from "../ports/call.ts";
import type { SearchedRepository } from "../schema/search.ts";
import { type CommitPlace, nameCommit, type OpenedCommit, openCommit } from "./commit-gate.ts";
import { pauseOf } from "./pause.ts";
import { absenceOf, nothingSearched } from "./search-absence.ts";
import { type EngineName, type EngineOutcome, searchWith } from "./search-engines.ts";
import type { CheckedQuery } from "./search-query.ts";
import type { ServicePorts } from "./service-ports.ts";

export interface RepositorySearch {
  opened: OpenedCommit;
  row: Omit<SearchedRepository, "next">;
  /** Null when nothing was searched. */
  outcome: SearchOutcome | null;
}

export const NOTHING_SEARCHED = { filesSearched: 0, bytesSearched: 0, matchingFiles: 0, matchingLines: 0 };

export async function searchRepository(
  ports: ServicePorts,
  call: Call,
  place: CommitPlace,
  checked: CheckedQuery,
  engine: EngineName | undefined,
): Promise<RepositorySearch> {
  const opened = await openCommit(await nameCommit(ports, call, place));
  const { outcome: gate, reader } = opened;
  if (gate.status !== "ok") return { opened, outcome: null, row: notSearched(opened, gate) };
  const { commit, policy } = gate;
  const pause = pauseOf(ports, call);
  const searched = await searchWith(engine, { reader, commit, policy, pause }, checked);
  const { outcome } = searched;
  return {
    opened,
    outcome,
    row: {
      ...common(opened),
      status: "ok",
      reason: nothingSearched(outcome),
      treeSha: commit.tree,
      engine: searched.engine,
      complete: outcome.complete,
      incompleteBecause: gapsOf(searched),
      totals: outcome.totals,
      skipped: outcome.skipped,
      submodules: [...searched.submodules],
      searchedFrom: outcome.searchedFrom,
      stoppedAt: outcome.stoppedAt,
      archive: searched.archive,
      codeSearch: searched.codeSearch,
      proof: searched.proof,
      absence: absenceOf(ports, opened, commit.tree, checked, outcome),
    },
  };
}

const common = ({ entry, commitSha, reachable, head }: OpenedCommit) => ({
  repository: entry.name,
  error: null,
  commitSha,
  reachable,
  ...(head === null ? {} : { head: { ...head } }),
});

const notSearched = (
  opened: OpenedCommit,
  { status, reason }: { status: "missing" | "blocked"; reason: string },
): RepositorySearch["row"] => ({
  ...common(opened),
  status,
  reason,
  ...UNSEARCHED,
});

/** The fields of a row that tells of no search. */
export const UNSEARCHED = {
  treeSha: null,
  engine: null,
  complete: false,
  incompleteBecause: [],
  totals: NOTHING_SEARCHED,
  skipped: [],
  submodules: [],
  searchedFrom: null,
  stoppedAt: null,
  archive: null,
  codeSearch: null,
  proof: null,
  absence: null,
} satisfies Partial<SearchedRepository>;

const GAP_TEXT: Partial<Record<SearchOutcome["skipped"][number]["reason"], string>> = {
  long_lines: "hold lines longer than an expression is run on; mode literal searches those too",
  line_too_long: "hold a line too long to be held, and were searched up to it; read on in the file itself",
  missing: "differ from the archive and were not read; read the file itself, or narrow paths",
  too_costly: "cost more work than one search may; use a simpler expression, or mode literal",
};

export function gapsOf({ outcome, gap }: Pick<EngineOutcome, "outcome" | "gap">): string[] {
  const gaps = outcome.skipped.flatMap(({ reason, count }) => {
    const text = GAP_TEXT[reason];
    return text === undefined ? [] : [`${count} ${count === 1 ? "file" : "files"}: ${text}.`];
  });
  if (outcome.stoppedAt !== null)
    gaps.push("The work of one search ran out; the cursor goes on from stoppedAt.");
  if (outcome.searchedFrom !== null) gaps.push("Files before searchedFrom were searched by an earlier page.");
  return gap === null ? gaps : [gap, ...gaps];
}
