/**
 * A matching line as it is shown: place, text cut at a byte bound and said so, matches, context. Nothing here is a claim;
 * a hit is a candidate until its bytes are proven. Columns count bytes from 1, as `git grep --column` does.
 */
import { type LineMatcher, lineEnd } from "./line-matcher.ts";

export const HIT_LIMITS = {
  /** Bytes of a line that are shown. */
  lineBytes: 500,
  /** Bytes shown in front of a match that lies behind the bound. */
  leadBytes: 100,
  /** Matches told of one line. */
  ranges: 20,
} as const;

/** Part of a line as text; bytes that are not UTF-8 show as U+FFFD. */
export interface LineText {
  text: string;
  /** Column, in bytes from 1, of the first byte shown; more than 1 when the line's start was cut off. */
  textColumn: number;
  /** Bytes of the whole line, without its terminator. */
  lineBytes: number;
  /** True when `text` is not the whole line. */
  truncated: boolean;
}

export interface ContextLine extends LineText {
  line: number;
}

export interface MatchRange {
  /** In bytes from 1. */
  column: number;
  /** Length in bytes. */
  bytes: number;
}

export interface Hit extends LineText {
  path: string;
  /** From 1. */
  line: number;
  /** Of the first match, in bytes from 1. */
  column: number;
  ranges: MatchRange[];
  /** True when the line holds more matches than `ranges` tells. */
  moreRanges: boolean;
  before: ContextLine[];
  after: ContextLine[];
}

/** Where a line lies: `bytes[start, end)`, without its terminator. */
export interface LinePlace {
  bytes: Buffer;
  start: number;
  end: number;
  line: number;
}

export function makeHit(path: string, place: LinePlace, matcher: LineMatcher, context: number): Hit {
  const { bytes, start, end, line } = place;
  const { ranges, more } = matcher.ranges(bytes, start, end, HIT_LIMITS.ranges);
  const first = ranges[0] ?? { offset: 0, length: 0 };
  return {
    path,
    line,
    column: first.offset + 1,
    ...lineText(bytes, start, end, first.offset + first.length > HIT_LIMITS.lineBytes ? first.offset : 0),
    ranges: ranges.map(({ offset, length }) => ({ column: offset + 1, bytes: length })),
    moreRanges: more,
    before: linesBefore(place, context),
    after: linesAfter(place, context),
  };
}

/** `around`: an offset in the line that must be shown. */
function lineText(bytes: Buffer, start: number, end: number, around: number): LineText {
  const from =
    around === 0 ? start : characterStart(bytes, start + Math.max(0, around - HIT_LIMITS.leadBytes), end);
  const cut = from + HIT_LIMITS.lineBytes;
  const to = cut >= end ? end : characterStart(bytes, cut, end, -1);
  return {
    text: bytes.toString("utf8", from, to),
    textColumn: from - start + 1,
    lineBytes: end - start,
    truncated: from > start || to < end,
  };
}

/** The nearest start of a UTF-8 character, at most three bytes away. */
function characterStart(bytes: Buffer, at: number, end: number, step: 1 | -1 = 1): number {
  let start = at;
  for (let i = 0; i < 3 && start < end && ((bytes[start] ?? 0) & 0xc0) === 0x80; i++) start += step;
  return start;
}

function linesBefore({ bytes, start, line }: LinePlace, context: number): ContextLine[] {
  const lines: ContextLine[] = [];
  for (let end = start - 1; lines.length < context && end >= 0; ) {
    const from = end === 0 ? 0 : bytes.lastIndexOf(10, end - 1) + 1;
    lines.unshift({ line: line - lines.length - 1, ...lineText(bytes, from, end, 0) });
    end = from - 1;
  }
  return lines;
}

function linesAfter({ bytes, end, line }: LinePlace, context: number): ContextLine[] {
  const lines: ContextLine[] = [];
  for (let from = end + 1; lines.length < context && from < bytes.length; ) {
    const to = lineEnd(bytes, from, bytes.length);
    lines.push({ line: line + lines.length + 1, ...lineText(bytes, from, to, 0) });
    from = to + 1;
  }
  return lines;
}
