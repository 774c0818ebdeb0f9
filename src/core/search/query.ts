/**
 * A search as it was asked, checked and completed with its defaults. Owns the bounds of every option and their errors.
 * Follows `git grep`: a literal query without regard to case is `-i -F`, `wholeWord` is `-w`. Transports have their own
 * schemas; this check stands behind all of them.
 */
import { GitpinError } from "../../errors.ts";
import { sha256 } from "../git/hash.ts";
import { anyMatcher } from "./any-matcher.ts";
import { LANGUAGE_NAMES, languageName } from "./language.ts";
import type { LineMatcher } from "./line-matcher.ts";
import { literalMatcher } from "./literal-matcher.ts";
import { regexMatcher } from "./regex-matcher.ts";

export type SearchMode = "literal" | "regex";
/** `hits`: lines; `files`: paths with their number of matching lines; `count`: totals only. */
export type SearchAnswer = "hits" | "files" | "count";

export const SEARCH_LIMITS = {
  queryUnits: 1000,
  context: 5,
  maxResults: 50,
  maxResultsMost: 500,
} as const;

export interface SearchOptions {
  query: string;
  /** Further texts of a literal search, each by itself: a line that holds any of them matches. Default none. */
  alternatives?: readonly string[] | undefined;
  /** Default `literal`. */
  mode?: SearchMode | undefined;
  /** Default false. */
  caseSensitive?: boolean | undefined;
  /** Default false. */
  wholeWord?: boolean | undefined;
  /** Globs; default every path. */
  include?: readonly string[] | undefined;
  /** Globs; default none. */
  exclude?: readonly string[] | undefined;
  /** A name of `LANGUAGE_NAMES` or a short form of one. */
  language?: string | undefined;
  /** Lines before and after each hit, 0 to 5; default 0. */
  context?: number | undefined;
  /** Hits (or files) in one answer, 1 to 500; default 50. */
  maxResults?: number | undefined;
  /** Default `hits`. */
  answer?: SearchAnswer | undefined;
  /** `nextCursor` of the answer before. */
  cursor?: string | undefined;
}

export interface SearchQuery {
  query: string;
  /** Of mode `literal` alone. */
  alternatives: readonly string[];
  mode: SearchMode;
  caseSensitive: boolean;
  wholeWord: boolean;
  include: readonly string[];
  exclude: readonly string[];
  /** A full name, or null. */
  language: string | null;
  context: number;
  maxResults: number;
  answer: SearchAnswer;
  cursor: string | null;
}

/** Throws `invalid_argument` with `data.field`. Expressions and globs are checked when they are compiled. */
export function parseQuery(options: SearchOptions): SearchQuery {
  const query: SearchQuery = {
    query: options.query,
    alternatives: options.alternatives ?? [],
    mode: options.mode ?? "literal",
    caseSensitive: options.caseSensitive ?? false,
    wholeWord: options.wholeWord ?? false,
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    language: parseLanguage(options.language),
    context: options.context ?? 0,
    maxResults: options.maxResults ?? SEARCH_LIMITS.maxResults,
    answer: options.answer ?? "hits",
    cursor: options.cursor ?? null,
  };
  for (const text of textsOf(query)) checkText(text, query.mode);
  if (query.mode !== "literal" && query.alternatives.length > 0) {
    throw refused(
      "alternatives",
      "are of a literal search",
      "Join the alternatives of an expression with |.",
    );
  }
  checkNumber("context", query.context, 0, SEARCH_LIMITS.context);
  checkNumber("maxResults", query.maxResults, 1, SEARCH_LIMITS.maxResultsMost);
  return query;
}

/** Throws `pattern_unsupported` or `pattern_too_large` in mode `regex`. */
export function matcherOf(query: SearchQuery): LineMatcher {
  const { caseSensitive, wholeWord } = query;
  return query.mode === "literal"
    ? anyMatcher(textsOf(query).map((text) => literalMatcher({ text, caseSensitive, wholeWord })))
    : regexMatcher({ pattern: query.query, caseSensitive, wholeWord });
}

const textsOf = ({ query, alternatives }: SearchQuery): string[] => [query, ...alternatives];

/** Names what is looked for and where, without the page: a cursor is good for one such search only. */
export function queryDigest(query: SearchQuery): string {
  const { query: text, alternatives, mode, caseSensitive, wholeWord } = query;
  const { include, exclude, language, answer } = query;
  return sha256(
    JSON.stringify([
      text,
      mode,
      caseSensitive,
      wholeWord,
      include,
      exclude,
      language,
      answer,
      ...alternatives,
    ]),
  ).slice(0, 16);
}

function checkText(query: string, mode: SearchMode): void {
  if (query === "") throw refused("query", "is empty", "Give the text to look for.");
  if (query.length > SEARCH_LIMITS.queryUnits) {
    throw refused(
      "query",
      `is longer than ${SEARCH_LIMITS.queryUnits} characters`,
      "Search for a part of it.",
    );
  }
  if (!query.isWellFormed()) {
    throw refused(
      "query",
      "holds half of a surrogate pair, which UTF-8 cannot carry",
      "Send whole characters.",
    );
  }
  if (query.includes("\n")) {
    const instead =
      mode === "literal"
        ? "Search for one of its lines; prove the whole text with mustContain, which may span lines."
        : "Search for one line; join alternatives with |.";
    throw refused("query", "holds a line break, and a search finds lines", instead);
  }
}

function parseLanguage(written: string | undefined): string | null {
  if (written === undefined) return null;
  const name = languageName(written);
  if (name !== null) return name;
  throw refused("language", "is none that is known", `Known are ${LANGUAGE_NAMES.join(", ")}; or use globs.`);
}

function checkNumber(field: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw refused(
    field,
    `is no whole number from ${least} to ${most}`,
    `Give ${field} from ${least} to ${most}.`,
  );
}

function refused(field: string, fault: string, nextStep: string): GitpinError {
  return new GitpinError("invalid_argument", `${field} ${fault}.`, nextStep, { field });
}
