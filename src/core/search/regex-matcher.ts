/**
 * Lines that match a regular expression, in time linear in the text: RE2's dialect, run by re2js (no backtracking).
 * Owns: refusing what the dialect lacks, the bound on program size, the bound on a line's length.
 * Lines are proposed by bytes that each match must hold, or by one test of a whole stretch; RE2 decides on each line.
 * Refuses: V8's own RegExp for anybody's pattern; it backtracks and would stop every other request.
 */
import { type Matcher, RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { GitpinError } from "../../errors.ts";
import {
  type FoundLine,
  isWordByte,
  type LineMatcher,
  type LineRange,
  type LineRanges,
  lineEnd,
  lineStart,
} from "./line-matcher.ts";
import { estimateSize } from "./regex-size.ts";
import { type Token, tokenize } from "./regex-tokens.ts";
import { requiredBytes } from "./required-bytes.ts";
import { byteLengthOf, decodeText } from "./text-lines.ts";

/** The dialect's name, for results. */
export const REGEX_DIALECT = "RE2 (re2js 2.10), leftmost-first, one line at a time";

/** Instructions a pattern may compile to; cost is text times program. */
export const MAX_PROGRAM = 500;

/** A line that costs more than this (bytes times instructions) is not searched with an expression, and said so. */
const LINE_WORK = 50_000_000;
/** Every expression is run on lines up to this. */
const LEAST_LINE_BYTES = 65_536;
const NEWLINE = 10;

export interface RegexOptions {
  pattern: string;
  caseSensitive: boolean;
  wholeWord: boolean;
}

const DOCUMENTATION = "The dialect is RE2's: https://github.com/google/re2/wiki/Syntax";

/** Throws `pattern_unsupported` (with `position`, 1-based UTF-16 units) or `pattern_too_large`. */
export function regexMatcher(options: RegexOptions): LineMatcher {
  const { pattern, caseSensitive, wholeWord } = options;
  const read = tokenize(pattern);
  if ("fault" in read) {
    const { position, what, instead, why } = read.fault;
    throw unsupported(position, what, `Write instead: ${instead}. ${DOCUMENTATION}`, { why });
  }
  const estimate = estimateSize(read.tokens);
  if (estimate > 4 * MAX_PROGRAM) throw tooLarge(estimate);
  const flags = caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const line = compile(pattern, flags);
  if (line.programSize() > MAX_PROGRAM) throw tooLarge(line.programSize());
  // `(?-i:\W)`: folded, RE2's \W leaves out two letters beyond ASCII that are no word characters to git.
  const body = read.openQuote ? `${pattern}\\E` : pattern;
  const worded = `(?:^|(?-i:\\W))(?:${body})(?:(?-i:\\W)|$)`;
  return new RegexMatcher({
    line,
    candidate: wholeWord ? compile(worded, flags) : line,
    text: seesOnlyLines(read.tokens) ? compile(wholeWord ? worded : pattern, flags | RE2JS.MULTILINE) : null,
    required: requiredBytes(read.tokens, caseSensitive),
    wholeWord,
  });
}

/** False for `\A`, `\z` and flags: in a text of several lines they mean something else than in each line. */
const seesOnlyLines = (tokens: readonly Token[]): boolean =>
  !tokens.some(
    (token) =>
      token.kind === "flags" ||
      (token.kind === "open" && /^\(\?[a-zA-Z-]*m/.test(token.source)) ||
      (token.kind === "assertion" && (token.source === "\\A" || token.source === "\\z")),
  );

interface Program {
  /** Finds where a line matches. */
  line: RE2JS;
  /** Whether a line can match; with whole words a line that passes is looked at once more. */
  candidate: RE2JS;
  /** Whether a text of several lines can hold a matching one; null when it cannot be asked so. */
  text: RE2JS | null;
  /** Bytes that every matching line holds; null when none are known. */
  required: RegExp | null;
  wholeWord: boolean;
}

class RegexMatcher implements LineMatcher {
  readonly workPerByte: number;
  readonly maxLineBytes: number;
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
    this.workPerByte = Math.max(1, program.candidate.programSize());
    this.maxLineBytes = Math.max(LEAST_LINE_BYTES, Math.floor(LINE_WORK / this.workPerByte));
  }

  scan(bytes: Buffer, from: number, to: number, found: FoundLine): number {
    const { required } = this.#program;
    if (required !== null) return this.#scanProposed(required, bytes, from, to, found);
    let tooLong = 0;
    for (let start = from; start < to; ) {
      const stretch = this.#shortLines(bytes, start, to);
      if (stretch > start) this.#scanText(bytes, start, stretch, found);
      start = stretch;
      if (start === to) break;
      start = lineEnd(bytes, start, to) + 1;
      tooLong++;
    }
    return tooLong;
  }

  ranges(bytes: Buffer, start: number, end: number, limit: number): LineRanges {
    const text = decodeText(bytes, start, end);
    const ranges: LineRange[] = [];
    for (let at = 0; at <= text.length; ) {
      const match = this.#next(text, at);
      if (match === null) break;
      at = match.to;
      if (match.to === match.from) {
        at = behindCharacter(text, at);
        continue;
      }
      if (ranges.length === limit) return { ranges, more: true };
      const offset = byteLengthOf(text, match.from);
      ranges.push({ offset, length: byteLengthOf(text, match.to) - offset });
    }
    return { ranges, more: false };
  }

  /** Only lines that hold the required bytes can match. */
  #scanProposed(required: RegExp, bytes: Buffer, from: number, to: number, found: FoundLine): number {
    const view = bytes.toString("latin1", from, to);
    let tooLong = 0;
    for (let at = from; at < to; ) {
      required.lastIndex = at - from;
      const proposal = required.exec(view);
      if (proposal === null) break;
      const start = lineStart(bytes, from, from + proposal.index);
      const end = lineEnd(bytes, from + proposal.index, to);
      if (end - start > this.maxLineBytes) tooLong++;
      else if (this.#matches(decodeText(bytes, start, end))) found(start, end);
      at = end + 1;
    }
    return tooLong;
  }

  /** Nearly all text is passed over by one test of the whole; else line by line. */
  #scanText(bytes: Buffer, from: number, to: number, found: FoundLine): void {
    const text = decodeText(bytes, from, to);
    if (this.#program.text !== null && !this.#program.text.test(text)) return;
    let lineFrom = from;
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      const lineTo = text.length === to - from ? lineFrom + end - start : lineEnd(bytes, lineFrom, to);
      if (this.#matches(text.slice(start, end))) found(lineFrom, lineTo);
      start = end + 1;
      lineFrom = lineTo + 1;
    }
  }

  #matches(line: string): boolean {
    const { candidate, wholeWord } = this.#program;
    return candidate.test(line) && (!wholeWord || this.#next(line, 0) !== null);
  }

  /** End of the run of whole lines from `start` that are short enough to search; `start` when the first is not. */
  #shortLines(bytes: Buffer, start: number, to: number): number {
    let at = start;
    while (to - at > this.maxLineBytes) {
      const newline = bytes.lastIndexOf(NEWLINE, at + this.maxLineBytes);
      if (newline < at) return at;
      at = newline + 1;
    }
    return to;
  }

  /** The first match at or behind `from`, in UTF-16 units. Whole words are found as git does it, see `#nextWord`. */
  #next(line: string, from: number): Match | null {
    const matcher = this.#program.line.matcher(line);
    if (this.#program.wholeWord) return nextWord(matcher, line, from);
    return matcher.find(from) ? { from: matcher.start(), to: matcher.end() } : null;
  }
}

/** Offsets in UTF-16 units, `to` exclusive. */
interface Match {
  from: number;
  to: number;
}

/**
 * As `git grep -w`: the leftmost match must stand between characters that are no word characters. If it does not, the
 * search goes on behind the next character that is none, however the expression could match otherwise from here.
 */
function nextWord(matcher: Matcher, line: string, from: number): Match | null {
  for (let at = from; at <= line.length && matcher.find(at); ) {
    const match = { from: matcher.start(), to: matcher.end() };
    const bounded = !isWordByte(byteAt(line, match.from - 1)) && !isWordByte(byteAt(line, match.to));
    if (bounded && match.to > match.from) return match;
    at = behindCharacter(line, match.from);
    while (at < line.length && isWordByte(byteAt(line, at - 1))) at++;
    if (at >= line.length) return null;
  }
  return null;
}

/** The unit there; NaN outside the line is no word character. */
const byteAt = (line: string, at: number): number => line.charCodeAt(at);

const behindCharacter = (text: string, at: number): number =>
  at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

function compile(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    if (error instanceof RE2JSSyntaxException) {
      const part = error.getPattern() ?? "";
      const position = Math.max(0, pattern.indexOf(part)) + 1;
      throw unsupported(position, `${error.getDescription()}: ${part}`, `Mend that part. ${DOCUMENTATION}`, {
        cause: error,
      });
    }
    throw tooLarge(MAX_PROGRAM + 1);
  }
}

function unsupported(
  position: number,
  what: string,
  nextStep: string,
  { why = "which this dialect does not have", cause }: { why?: string | undefined; cause?: unknown },
): GitpinError {
  return new GitpinError(
    "pattern_unsupported",
    `The regular expression holds ${what} at position ${position}, ${why}.`,
    nextStep,
    { field: "query", position, construct: what },
    { cause },
  );
}

function tooLarge(size: number): GitpinError {
  const known = Number.isFinite(size) && size < 1e9 ? Math.ceil(size) : null;
  return new GitpinError(
    "pattern_too_large",
    `The regular expression compiles to more than ${MAX_PROGRAM} instructions.`,
    "Lower the counts in {...}, write * or + instead, or search for a literal and narrow with paths.",
    { field: "query", limit: MAX_PROGRAM, size: known },
  );
}
