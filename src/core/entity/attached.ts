/**
 * What stands above a declaration and belongs to it. Doc comments do when they touch it: a blank line, other code, a
 * shebang or a comment about the file ends them. What the language itself binds to the next declaration (attributes,
 * decorators, compiler directives) does whatever blanks and comments lie between, and brings along what touches it.
 * Works on a sorted list: asking nodes for siblings is quadratic.
 */
import type { Span } from "./declaration.ts";
import type { LanguageSpec } from "./language/spec.ts";

export function attachedStart(
  spec: LanguageSpec,
  text: string,
  trivia: readonly Span[],
  start: number,
): number {
  let first = start;
  let read = start;
  let touching = true;
  // Asked once a line: all that stands on it without code between shares the answer.
  let line = { start: Number.POSITIVE_INFINITY, behindCode: false };
  for (let at = lastBefore(trivia, start); at >= 0; at--) {
    const above = trivia[at] as Span;
    if (above.end > read) continue;
    const gap = gapBelow(text, above, read);
    touching &&= gap === "touching";
    if (gap === "code" || !(touching || spec.binds !== undefined)) break;
    const words = text.slice(above.start, above.end);
    if (words.startsWith("#!") || spec.detached?.test(words)) break;
    const binds = spec.binds?.test(words) === true;
    if (above.start < line.start) line = lineOf(text, trivia, at);
    // Behind code on its line a comment is about that code.
    if (line.behindCode && !binds) break;
    read = above.start;
    touching ||= binds;
    if (touching) first = above.start;
  }
  return first;
}

/** The line that trivia begins on, and whether code stands before it there. */
function lineOf(
  text: string,
  trivia: readonly Span[],
  index: number,
): { start: number; behindCode: boolean } {
  let { start } = trivia[index] as Span;
  const lineStart = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
  for (let at = index - 1; ; at--) {
    const before = trivia[at];
    const from = Math.max(lineStart, Math.min(before?.end ?? 0, start));
    if (
      text
        .slice(from, start)
        .replace(/^\uFEFF/, "")
        .trim() !== ""
    ) {
      return { start: lineStart, behindCode: true };
    }
    if (before === undefined || before.end <= lineStart) return { start: lineStart, behindCode: false };
    start = Math.min(start, before.start);
  }
}

/** Index of the last trivia that ends at or before `start`. */
function lastBefore(trivia: readonly Span[], start: number): number {
  let low = 0;
  let high = trivia.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((trivia[middle] as Span).end <= start) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What lies between: at most one line end, more blanks, or code. Some grammars count the line end to the comment. */
function gapBelow(text: string, above: Span, start: number): "touching" | "apart" | "code" {
  const gap = text.slice(text[above.end - 1] === "\n" ? above.end - 1 : above.end, start);
  if (gap.trim() !== "") return "code";
  return gap.indexOf("\n") === gap.lastIndexOf("\n") ? "touching" : "apart";
}
