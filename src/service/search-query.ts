/**
 * The arguments of a search, checked before anything is asked of the host: query, globs, expression. Owns how `paths`,
 * `count` and `filesOnly` become a query of the core. Refuses what excludes each other.
 */
import type { AbsenceQuery } from "../core/citation/absence.ts";
import { pathFilter } from "../core/search/path-filter.ts";
import { matcherOf, parseQuery, type SearchOptions, type SearchQuery } from "../core/search/query.ts";
import { GitpinError } from "../errors.ts";
import type { SearchCodeInput } from "../schema/search.ts";

/** A query that was compiled once, so that a bad one costs no request. */
export interface CheckedQuery {
  query: SearchQuery;
  /** Only documentation is searched. */
  documents: boolean;
}

export function checkedQuery(input: SearchCodeInput, documents: boolean): CheckedQuery {
  if (input.count === true && input.filesOnly === true) {
    throw exclusive("count", "count and filesOnly exclude each other.", "Give one of them.");
  }
  if (input.sha !== undefined && input.ref !== undefined) {
    throw exclusive("ref", "sha and ref exclude each other.", "Give sha, or ref for a registered ref's tip.");
  }
  const paths = input.paths ?? [];
  const { mode, caseSensitive, wholeWord, language, context, maxResults, cursor } = input;
  return check(documents, {
    query: input.query,
    mode,
    caseSensitive,
    wholeWord,
    language,
    context,
    maxResults,
    cursor,
    include: paths.filter((glob) => !glob.startsWith("!")),
    exclude: paths.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
    answer: input.count === true ? "count" : input.filesOnly === true ? "files" : "hits",
  });
}

/** The search that an absence names, to be made again. */
export function queryOfAbsence(absence: AbsenceQuery): CheckedQuery {
  const { documents, language, ...options } = absence;
  return check(documents, { ...options, answer: "count", ...(language === null ? {} : { language }) });
}

function check(documents: boolean, options: SearchOptions): CheckedQuery {
  const query = parseQuery(options);
  matcherOf(query);
  pathFilter(query);
  return { query, documents };
}

const exclusive = (field: string, message: string, nextStep: string): GitpinError =>
  new GitpinError("invalid_argument", message, nextStep, { field });
