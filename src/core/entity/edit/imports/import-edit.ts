/**
 * What every language's import editing shares: the request, the header of a file, the leading block of imports, and
 * taking a statement away with its line. Existing statements are never reordered.
 */
import { attachedStart } from "../../attached.ts";
import type { Span } from "../../declaration.ts";
import type { SourceUnit } from "../../entity.ts";
import {
  blankLinesAbove,
  blankLinesBelow,
  finalLineEnd,
  isBlank,
  lineEnd,
  lineStart,
  textStart,
} from "../lines.ts";
import { refused } from "../outcome.ts";
import { endWithComment } from "../remove.ts";
import type { Splice } from "../splice.ts";

export interface ImportEntry {
  operation: number;
  /** As the caller wrote it, trimmed. */
  text: string;
}

/** Statements longer than this (UTF-16 units) are not read: nobody writes them, and reading them costs its square. */
export const STATEMENT_UNITS = 20_000;

export const invalidImport = (operation: number, reason: string, nextStep: string) =>
  refused("import_invalid", operation, reason, nextStep);

/** Imports with nothing but blanks and comments between them, from the first one on. */
export function leadingImports(unit: SourceUnit): Span[] {
  const { imports, trivia } = unit.outline;
  const block: Span[] = [];
  for (const span of imports) {
    const last = block.at(-1);
    if (last !== undefined && !onlyTrivia(unit.source.text, trivia, last.end, span.start)) break;
    block.push(span);
  }
  return block;
}

function onlyTrivia(text: string, trivia: readonly Span[], from: number, to: number): boolean {
  let read = from;
  for (const span of trivia) {
    if (span.start < from) continue;
    if (span.start >= to) break;
    if (!/^[\s;]*$/.test(text.slice(read, span.start))) return false;
    read = span.end;
  }
  return /^[\s;]*$/.test(text.slice(Math.min(read, to), to));
}

/** End of what opens a file: shebang, header comment (with a blank line behind it), docstring, directives. */
export function headerEnd(unit: SourceUnit): number {
  const { text } = unit.source;
  const { trivia, prologue } = unit.outline;
  const items = [
    ...trivia.map((span) => ({ ...span, stays: false })),
    ...prologue.map((span) => ({ ...span, stays: true })),
  ].sort((a, b) => a.start - b.start);
  const bom = textStart(text);
  let accepted = bom;
  let read = bom;
  for (const item of items) {
    if (item.start < read) continue;
    if (!isBlank(text.slice(read, item.start))) break;
    read = item.end;
    const words = text.slice(item.start, item.end);
    const opening = words.startsWith("#!") || unit.spec.detached?.test(words) === true;
    const next = lineEnd(text, item.start + words.replace(/[\r\n]+$/, "").length);
    const blankBehind = next < text.length && isBlank(text.slice(next, lineEnd(text, next)));
    // What binds forwards is part of what follows, whatever blanks lie between.
    const bound = !item.stays && !opening && unit.spec.binds?.test(words) === true;
    if ((item.stays || opening || blankBehind) && !bound)
      accepted = item.start + words.replace(/[\r\n]+$/, "").length;
  }
  return accepted;
}

/** The first import of a file without any: behind the header, one blank line on both sides. */
export function insertFirst(
  unit: SourceUnit,
  statement: string,
  blankBehind: (next: string) => number,
): Splice {
  const { text, lineEnding } = unit.source;
  const at = headerEnd(unit);
  const bom = textStart(text);
  if (at === bom) {
    const below = blankLinesBelow(text, at);
    const next = text.slice(below.edge, lineEnd(text, below.edge));
    const gap = below.edge === text.length ? 0 : Math.max(0, blankBehind(next) - below.count);
    return { start: at, end: at, text: statement + lineEnding.repeat(1 + gap) };
  }
  const end = lineEnd(text, at);
  const below = blankLinesBelow(text, end);
  const next = text.slice(below.edge, lineEnd(text, below.edge));
  const gap = below.edge === text.length ? 0 : Math.max(0, blankBehind(next) - below.count);
  const place = end - finalLineEnd(text.slice(at, end));
  return { start: place, end: place, text: lineEnding.repeat(2) + statement + lineEnding.repeat(gap) };
}

/** Behind an import, on the next line. */
export function insertBehind(unit: SourceUnit, span: Span, statement: string, blankAbove = 0): Splice {
  const { text, lineEnding } = unit.source;
  const at = endWithComment(unit, span.end);
  let tail = "";
  if (blankAbove > 0) {
    const below = blankLinesBelow(text, lineEnd(text, at));
    if (below.count === 0 && below.edge < text.length) tail = lineEnding.repeat(blankAbove);
  }
  return { start: at, end: at, text: lineEnding.repeat(1 + blankAbove) + statement + tail };
}

/** Before an import, its attributes and the comments about it; comments that open the file stay on top. */
export function insertBefore(unit: SourceUnit, span: Span, statement: string, blankBelow = 0): Splice {
  const { text, lineEnding } = unit.source;
  const attached = attachedStart(unit.spec, text, unit.outline.trivia, span.start);
  const opensFile = isBlank(text.slice(0, attached).replace(/^\uFEFF/, ""));
  const bound = unit.outline.trivia.find(
    ({ start, end }) =>
      start >= attached && end <= span.start && unit.spec.binds?.test(text.slice(start, end)) === true,
  );
  const at = opensFile ? (bound ?? span).start : attached;
  return { start: at, end: at, text: statement + lineEnding.repeat(1 + blankBelow) };
}

/** Takes a statement away with its line; blank lines that only it kept apart go too. */
export function withoutStatement(unit: SourceUnit, span: Span): Splice {
  const { text, lineEnding } = unit.source;
  const ended = endWithComment(unit, span.end);
  const start = lineStart(text, span.start);
  if (!isBlank(text.slice(start, span.start)) || !isBlank(text.slice(ended, lineEnd(text, ended)))) {
    const blanks = /^[ \t]*;?[ \t]*/.exec(text.slice(span.end, span.end + 200))?.[0].length ?? 0;
    return { start: span.start, end: span.end + blanks, text: "" };
  }
  const above = blankLinesAbove(text, start);
  const below = blankLinesBelow(text, lineEnd(text, ended));
  const first = above.edge === textStart(text);
  if (below.edge === text.length) {
    const open = finalLineEnd(text) === 0 && !first ? finalLineEnd(text.slice(0, above.edge)) : 0;
    return { start: above.edge - open, end: text.length, text: "" };
  }
  if (first) return { start: above.edge, end: below.edge, text: "" };
  if (above.count === 0 || below.count === 0) return { start, end: lineEnd(text, ended), text: "" };
  return {
    start: above.edge,
    end: below.edge,
    text: lineEnding.repeat(Math.max(above.count, below.count)),
  };
}

/** Whether a comment stands inside the span. */
export const holdsComment = (unit: SourceUnit, span: Span): boolean =>
  unit.outline.trivia.some(({ start, end }) => start >= span.start && end <= span.end);

export const commentsRefused = (operation: number, statement: string) =>
  refused(
    "import_comments",
    operation,
    `The import \`${statement.split("\n")[0]}\` holds comments, which are not rewritten.`,
    "Remove the whole statement and add what should stay, or leave it.",
  );
