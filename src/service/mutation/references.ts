/**
 * Where the names of removed entities still occur: an exact search (each name as a whole word, with case) of the state after the
 * change, which is the planned-on commit's archive with the planned files laid over it. A commit asks for no archive: without a stored
 * one the answer is `not_checked`. A dry run fetches it. What policy denies is neither searched nor shown.
 */
import { type ArchiveFile, heldFile } from "../../core/archive/archive-file.ts";
import { rawPathOfText } from "../../core/archive/raw-path.ts";
import { shellQuote } from "../../core/citation/shell-quote.ts";
import type { MutationPlan, PlannedFile } from "../../core/entity/edit/outcome.ts";
import type { Policy } from "../../core/policy/policy.ts";
import { parseQuery, SEARCH_LIMITS } from "../../core/search/query.ts";
import { runSearch } from "../../core/search/search-run.ts";
import { WorkBudget } from "../../core/search/work-budget.ts";
import { GitpinError } from "../../errors.ts";
import type { Commit, RepositoryReader } from "../../ports/repository-reader.ts";
import { RESULT_LIMITS, type RemovedReferences } from "../../schema/mutation-result.ts";

export interface ReferencePlace {
  reader: RepositoryReader;
  commit: Commit;
  policy: Policy;
  pause: () => Promise<void>;
  /** Fetches the archive where it is not stored. */
  fetch: boolean;
}

/** Undefined: the plan removes nothing. */
export async function remainingReferences(
  place: ReferencePlace,
  plan: MutationPlan,
): Promise<RemovedReferences | "not_checked" | undefined> {
  const removed = removedNames(plan);
  if (removed.length === 0) return undefined;
  const { names, unsearched } = searchable(removed);
  const [first, ...others] = names;
  if (first === undefined) return "not_checked";
  const query = parseQuery({
    query: first,
    alternatives: others,
    caseSensitive: true,
    wholeWord: true,
    maxResults: RESULT_LIMITS.references,
  });
  const { commit, policy, reader, pause, fetch } = place;
  try {
    const search = (files: AsyncIterable<ArchiveFile>) =>
      runSearch(changed(files, plan.files), query, {
        commit: commit.sha,
        denied: (path) => !policy.decide(path).allowed,
        work: new WorkBudget(pause),
      });
    const visit = await (fetch ? reader.files(commit, search) : reader.storedFiles(commit, search));
    if (visit === null) return "not_checked";
    const { hits, totals, complete } = visit.result;
    return {
      names,
      unsearched,
      totalLines: totals.matchingLines,
      lines: hits.map(({ path, line, text, truncated }) => ({ path, line, text, truncated })),
      complete,
      command: null,
    };
  } catch (error) {
    // A help, not the change itself: that it cannot be had now must not stop the change.
    if (error instanceof GitpinError) return "not_checked";
    throw error;
  }
}

/** The command that shows them all, once there is a commit. Binary files it passes over, as the search does. */
export const referencesCommand = (names: readonly string[], commit: string): string =>
  `git grep -n -I -w -F ${names.map((name) => `-e ${shellQuote(name)}`).join(" ")} ${commit}`;

/** Of each removal the declaration it names; its members are reached through it. */
function removedNames({ entities }: MutationPlan): string[] {
  const owners = new Map<number, string>();
  for (const { operation, effect, entity } of entities) {
    if (effect === "removed" && !owners.has(operation)) owners.set(operation, entity.name);
  }
  return [...new Set(owners.values())];
}

/** As many as one call looks for. A name that no line can hold as it is, or that is longer than a search takes, is not among them. */
function searchable(removed: readonly string[]): { names: string[]; unsearched: string[] } {
  const names: string[] = [];
  const unsearched: string[] = [];
  for (const name of removed) {
    const fits = name !== "" && name.length <= SEARCH_LIMITS.queryUnits && !/[\n\0]/.test(name);
    (fits && names.length < RESULT_LIMITS.removedNames ? names : unsearched).push(name);
  }
  return { names, unsearched };
}

/** The files of the commit as they stand after the change, in git's order. */
async function* changed(
  files: AsyncIterable<ArchiveFile>,
  planned: readonly PlannedFile[],
): AsyncGenerator<ArchiveFile> {
  const waiting = planned
    .map((file) => ({ ...file, rawPath: rawPathOfText(file.path) }))
    .sort((one, other) => (one.rawPath < other.rawPath ? -1 : 1));
  const created = ({ path, rawPath, mode, bytes }: (typeof waiting)[number]): ArchiveFile =>
    heldFile({ path, rawPath, kind: mode === "100755" ? "executable" : "file" }, bytes);
  for await (const file of files) {
    for (let next = waiting[0]; next !== undefined && next.rawPath < file.rawPath; next = waiting[0]) {
      waiting.shift();
      yield created(next);
    }
    const [next] = waiting;
    if (next?.rawPath === file.rawPath) waiting.shift();
    yield next?.rawPath === file.rawPath ? heldFile(file, next.bytes) : file;
  }
  for (const file of waiting) yield created(file);
}
