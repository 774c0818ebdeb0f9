/**
 * What the search asks of a matcher, literal or regular expression: which lines of a stretch of bytes match, and where
 * in such a line. Lines are split at `\n` only; the terminator belongs to no line; offsets are bytes.
 */

/** A match inside a line: offset of its first byte from the line's start, and its length in bytes. */
export interface LineRange {
  offset: number;
  length: number;
}

export interface LineRanges {
  ranges: LineRange[];
  /** True when there are more matches in the line than were asked for. */
  more: boolean;
}

/** `start` and `end` are offsets into the bytes, `end` exclusive and without the terminator. */
export type FoundLine = (start: number, end: number) => void;

export interface LineMatcher {
  /** Work of one byte of text, for the budget: counted, never timed. */
  readonly workPerByte: number;
  /**
   * Calls `found` for every matching line of `bytes[from, to)`, in order, once each. The stretch starts at the start of
   * a line and ends behind a terminator or at the end of the file. Gives the lines left out for their length.
   */
  scan(bytes: Buffer, from: number, to: number, found: FoundLine): number;
  /** Matches of one matching line from left to right, none overlapping, at most `limit`. Empty matches are left out. */
  ranges(bytes: Buffer, start: number, end: number, limit: number): LineRanges;
}

const NEWLINE = 10;

/** Offset behind the terminator before `at`, not below `from`. */
export function lineStart(bytes: Buffer, from: number, at: number): number {
  return at <= from ? from : Math.max(from, bytes.lastIndexOf(NEWLINE, at - 1) + 1);
}

/** Offset of the terminator at or after `at`, or `to`. */
export function lineEnd(bytes: Buffer, at: number, to: number): number {
  const found = bytes.indexOf(NEWLINE, at);
  return found < 0 || found > to ? to : found;
}

/** Git's word characters for `-w`: ASCII letters, digits and `_`. A byte of anything else, also of `é`, is none. */
export function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 57) || byte === 95
  );
}

/** As `git grep -w` asks: neither the byte before nor the byte behind is a word character; empty is no word. */
export function isWholeWord(bytes: Buffer, start: number, end: number, from: number, to: number): boolean {
  return (
    to > from && (from === start || !isWordByte(bytes[from - 1])) && (to === end || !isWordByte(bytes[to]))
  );
}
