/**
 * What stands right above a declaration and belongs to it: doc comments, attributes, decorators. A blank line, other
 * code, a shebang or a comment about the file ends it. Works on a sorted list: asking nodes for siblings is quadratic.
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
  for (let at = lastBefore(trivia, start); at >= 0; at--) {
    const above = trivia[at] as Span;
    if (above.end > first) continue;
    if (!touches(text, above, first)) break;
    const words = text.slice(above.start, above.end);
    if (words.startsWith("#!") || spec.detached?.test(words)) break;
    const lineStart = text.lastIndexOf("\n", above.start - 1) + 1;
    const before = text.slice(lineStart, above.start).replace(/^\uFEFF/, "");
    const sharesLine = (trivia[at - 1]?.start ?? -1) >= lineStart;
    // Behind code on its line it is about that code.
    if (before.trim() !== "" && !sharesLine) break;
    first = above.start;
  }
  return first;
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

/** Only whitespace with at most one line end lies between. Some grammars count the line end to the comment. */
function touches(text: string, above: Span, start: number): boolean {
  const gap = text.slice(text[above.end - 1] === "\n" ? above.end - 1 : above.end, start);
  return gap.trim() === "" && gap.indexOf("\n") === gap.lastIndexOf("\n");
}
