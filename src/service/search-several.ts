/**
 * One search over several repositories, one after the other. Owns the bound on repositories of one answer, their fair share
 * of it, and that a repository which fails (an unknown name too) is named as failed, never shown as empty.
 */
import * as z from "zod";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { queryDigest } from "../core/search/query.ts";
import { asGitpinError, type GitpinError } from "../errors.ts";
import type { SearchedRepository, SearchResult } from "../schema/search.ts";
import { nextTool } from "./next.ts";
import { type Asked, leadOn, questionOf, wrong } from "./search-answer.ts";
import { candidateFile, candidateOf } from "./search-candidates.ts";
import type { CheckedQuery } from "./search-query.ts";
import {
  NOTHING_SEARCHED,
  type RepositorySearch,
  searchRepository,
  UNSEARCHED,
} from "./search-repository.ts";

/** Repositories of one answer: each may take the download of an archive. */
const REPOSITORIES_AT_MOST = 8;
const NAMED_AT_MOST = 200;

const position = z.tuple([z.string(), z.string()]);
const KIND = "search-repositories";

export async function searchSeveral(asked: Asked): Promise<SearchResult> {
  const { ports, call, input, checked } = asked;
  for (const field of ["sha", "ref"] as const) {
    if (input[field] !== undefined)
      throw wrong(field, `${field} belongs to one repository.`, "Name that repository, or leave it out.");
  }
  const names = await repositoryNames(asked);
  // Which repositories, and what of them: a cursor is good for one such search only.
  const digest = queryDigest({
    ...checked.query,
    include: [...checked.query.include, "", ...(input.repositories ?? [])],
  });
  const start = startOf(names, digest, input.cursor);
  const chosen = names.slice(start, start + REPOSITORIES_AT_MOST);
  const rest = names.slice(start + chosen.length);
  const found: (RepositorySearch | Failure)[] = [];
  const each = { ...checked, query: { ...checked.query, cursor: null } };
  for (const name of chosen) found.push(await attempt(asked, name, each));
  const failures = found.filter((one) => "thrown" in one);
  // Nothing was searched at all: that is an error, and the first one says why.
  if (failures.length === found.length && failures[0] !== undefined) throw failures[0].thrown;
  const last = chosen.at(-1);
  const nextCursor = rest.length === 0 || last === undefined ? null : encodeCursor(KIND, [digest, last]);
  const searches = found.filter((one) => "row" in one);
  const { candidates, files, shown } = fairShare(asked, searches);
  const rows = found.map((one) => ("row" in one ? rowOf(asked, one, shown) : failedRow(one)));
  const complete = rest.length === 0 && start === 0 && rows.every((row) => row.complete);
  return {
    ...questionOf(asked),
    status: complete ? "ok" : "partial",
    candidates,
    files,
    repositories: rows,
    totals: rows.reduce((sum, { totals }) => addTotals(sum, totals), NOTHING_SEARCHED),
    complete,
    notSearched: rest.slice(0, NAMED_AT_MOST).map((repository) => ({
      repository,
      reason: `at most ${REPOSITORIES_AT_MOST} are searched in one answer`,
    })),
    notSearchedCount: rest.length,
    nextCursor,
    next:
      candidates[0]?.next ??
      files[0]?.next ??
      (nextCursor === null
        ? (rows.find((row) => row.next !== null)?.next ?? null)
        : nextTool(asked.tool, call.spelling, { ...input, cursor: nextCursor })),
  };

  async function attempt(of: Asked, name: string, query: CheckedQuery): Promise<RepositorySearch | Failure> {
    try {
      return await searchRepository(ports, call, { repository: name }, query, of.input.engine);
    } catch (thrown) {
      // One failed repository is told of in its place; a caller that left, or a query that is wrong, ends all.
      const error = asGitpinError(thrown);
      if (error.form.fault === "caller" && !PER_REPOSITORY.has(error.code)) throw error;
      return { repository: name, thrown: error };
    }
  }
}

/** Faults of a caller that speak of one repository, not of the question. */
const PER_REPOSITORY: ReadonlySet<string> = new Set([
  "repository_unknown",
  "archive_too_large",
  "blob_too_large",
  "code_search_unsupported",
]);

interface Failure {
  repository: string;
  thrown: GitpinError;
}

async function repositoryNames({ ports, call, input }: Asked): Promise<string[]> {
  if (input.repositories === undefined)
    return (await ports.registry.visible(call.caller)).map(({ name }) => name);
  return [...new Set(input.repositories)];
}

function startOf(names: readonly string[], digest: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [of, after] = decodeCursor(KIND, position, cursor);
  const index = names.indexOf(after);
  if (of === digest && index >= 0) return index + 1;
  throw wrong("cursor", "cursor belongs to another search.", "Repeat the arguments of the answer before.");
}

/** One of each repository in turn, until the answer is full: a large repository must not crowd out the others. */
function fairShare({ ports, call, checked }: Asked, searches: readonly RepositorySearch[]) {
  const results = searches.map(({ outcome, opened }) => ({
    opened,
    hits: outcome?.hits ?? [],
    files: outcome?.files ?? [],
  }));
  const candidates: SearchResult["candidates"] = [];
  const files: SearchResult["files"] = [];
  const shown = new Map<string, number>();
  const limit = checked.query.maxResults;
  for (let turn = 0; turn < limit; turn++) {
    for (const { opened, hits, files: matching } of results) {
      const hit = hits[turn];
      const file = matching[turn];
      if ((hit === undefined && file === undefined) || candidates.length + files.length >= limit) continue;
      if (hit !== undefined) candidates.push(candidateOf(ports, call, opened, hit));
      if (file !== undefined) files.push(candidateFile(ports, call, opened, file));
      shown.set(opened.entry.name, turn + 1);
    }
  }
  return { candidates, files, shown };
}

/** Where a repository has more than was shown, its row leads to a search of it alone. */
function rowOf(
  { call, input, tool }: Asked,
  { row, outcome }: RepositorySearch,
  shown: ReadonlyMap<string, number>,
): SearchedRepository {
  const found = (outcome?.hits.length ?? 0) + (outcome?.files.length ?? 0);
  const more = outcome !== null && (outcome.nextCursor !== null || found > (shown.get(row.repository) ?? 0));
  const { query, mode, caseSensitive, wholeWord, paths, language, context, maxResults, filesOnly, count } =
    input;
  const options = {
    query,
    mode,
    caseSensitive,
    wholeWord,
    paths,
    language,
    context,
    maxResults,
    filesOnly,
    count,
  };
  // Begun anew, unless all that was found was shown: then it goes on behind that.
  const cursor = found === (shown.get(row.repository) ?? 0) ? outcome?.nextCursor : undefined;
  const alone = { repository: row.repository, sha: row.commitSha, ...options, cursor };
  return { ...row, next: more ? nextTool(tool, call.spelling, alone) : leadOn(row, call) };
}

const failedRow = ({ repository, thrown }: Failure): SearchedRepository => ({
  repository,
  status: "failed",
  reason: thrown.message,
  error: thrown.report(),
  commitSha: null,
  reachable: null,
  ...UNSEARCHED,
  next: null,
});

const addTotals = (one: SearchResult["totals"], other: SearchResult["totals"]): SearchResult["totals"] => ({
  filesSearched: one.filesSearched + other.filesSearched,
  bytesSearched: one.bytesSearched + other.bytesSearched,
  matchingFiles: one.matchingFiles + other.matchingFiles,
  matchingLines: one.matchingLines + other.matchingLines,
});
