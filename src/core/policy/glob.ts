/**
 * Globs of registry and wiki files, over whole paths, case-insensitively unless asked otherwise, dot files and line feeds included.
 * picomatch reads the glob; RE2 runs the result, so that no pattern of a repository can cost more than time linear in
 * the path. Understood: `*`, `?`, `**` between slashes, `[a-z]`, `[!a]`, `{a,b}`, `\` before a character to be taken
 * as it is. Parentheses, bars, quotes and `+@!` are ordinary characters. `dir/` is `dir/**`: the directory and all below it.
 * Refuses what would quietly never match: open brackets and braces, `{1..9}`, a final backslash, an empty pattern.
 */
import picomatch from "picomatch";
import { RE2JS, RE2Set } from "re2js";

/** Position of the first pattern that matches the path, or -1. */
export type GlobSet = (path: string) => number;

/** Longest pattern, in UTF-16 units. */
export const GLOB_LENGTH = 500;

/** Most `*` (a run counts once) and `?` in one pattern: what a path costs grows with their number. */
export const GLOB_WILDCARDS = 20;

/** A pattern that cannot be used. `index` is its position; the message does not quote it. */
export class GlobError extends Error {
  readonly index: number;
  constructor(index: number, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "GlobError";
    this.index = index;
  }
}

/** Throws `GlobError` for the first pattern that cannot be used. `matchCase`: for what grants; what denies ignores case. */
export function compileGlobs(patterns: readonly string[], { matchCase = false } = {}): GlobSet {
  if (patterns.length === 0) return () => -1;
  const set = new RE2Set(RE2Set.ANCHOR_BOTH, RE2JS.DOTALL | (matchCase ? 0 : RE2JS.CASE_INSENSITIVE));
  for (const [index, pattern] of patterns.entries()) set.add(expressionOf(pattern, index));
  set.compile();
  const matchesRoot = patterns.findIndex((pattern) => /^\/?\*\*\/?$/.test(pattern));
  return (path) => {
    // `*` stands for a name; the root has none.
    if (path === "") return matchesRoot;
    const matched = set.match(path);
    return matched.length === 0 ? -1 : Math.min(...matched);
  };
}

function expressionOf(pattern: string, index: number): string {
  if (pattern.length > GLOB_LENGTH) throw new GlobError(index, `longer than ${GLOB_LENGTH} characters`);
  if ((pattern.match(/\*+|\?/g)?.length ?? 0) > GLOB_WILDCARDS) {
    throw new GlobError(index, `made of more than ${GLOB_WILDCARDS} wildcards`);
  }
  if (!pattern.isWellFormed()) throw new GlobError(index, "holding half of a surrogate pair");
  if (pattern.startsWith("./")) throw new GlobError(index, "never to match: no path starts with `./`");
  // Elsewhere it takes back an earlier pattern; here it would quietly match nothing but names with an exclamation mark.
  if (pattern.startsWith("!")) throw new GlobError(index, "a negation, which is not known here");
  const glob = rooted(literal(pattern, index));
  if (glob === "") throw new GlobError(index, "empty");
  try {
    const { source } = picomatch.makeRe(glob, {
      dot: true,
      windows: false,
      posix: true,
      nonegate: true,
      noextglob: true,
      strictBrackets: true,
      debug: true,
      fastpaths: false,
      expandRange: () => {
        throw new Error("ranges in braces are not supported");
      },
    });
    const expression = withoutGuards(source);
    RE2JS.compile(expression);
    return expression;
  } catch (cause) {
    throw new GlobError(index, "not a glob that can be read", { cause });
  }
}

// Patterns are whole paths already; a leading slash says the same and would never match.
function rooted(glob: string): string {
  const relative = glob.replace(/^\/+/, "");
  return relative.endsWith("/") ? `${relative}**` : relative;
}

/** Takes the meaning from what picomatch would pass on as parts of a regular expression. */
function literal(pattern: string, index: number): string {
  if (/^(?:[^\\]|\\.)*\\$/s.test(pattern)) throw new GlobError(index, "ends in a backslash");
  return pattern.replace(/\\(.)|[()|"]/gsu, (whole, escaped: string | undefined) => {
    if (escaped === undefined) return `\\${whole}`;
    return /[\p{L}\p{N}_]/u.test(escaped) ? escaped : whole;
  });
}

/**
 * picomatch guards its wildcards with lookaheads, which RE2 does not have: against `.`, `..` and empty segments. No path
 * of a git tree has these, so the guards are dropped (and with them a way through the end of the path, which a guard
 * behind it closes). Any lookaround left makes RE2 refuse the pattern. A test compares the result with picomatch's own.
 */
function withoutGuards(source: string): string {
  return source
    .replaceAll("(?!(?:^|\\/)\\.{1,2}(?:\\/|$))", "")
    .replaceAll("(?!\\.{1,2}(?:\\/|$))", "")
    .replaceAll("(?!\\.{0,1}(?:\\/|$))", "")
    .replaceAll("|$)(?=.)", ")")
    .replaceAll("(?=.)", "")
    .replace(/\\([^\x21-\x7e])/gu, "$1");
}
