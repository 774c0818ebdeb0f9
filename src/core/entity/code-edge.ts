/** Where code ends before a position and begins behind one, when blanks and comments (attributes, decorators) are passed over. */
import type { Span } from "./declaration.ts";

/** End of the last code before a position; 0 when there is none. `trivia` is sorted. */
export function codeEnd(text: string, trivia: readonly Span[], at: number): number {
  let end = at;
  for (;;) {
    while (end > 0 && isSpace(text, end - 1)) end -= 1;
    const above = trivia[firstFrom(trivia, end) - 1];
    // Some grammars count the line end to a comment.
    if (above === undefined || above.end < end) return end;
    end = above.start;
  }
}

/** Start of the first code from a position on; the text's length when there is none. */
export function codeStart(text: string, trivia: readonly Span[], at: number): number {
  let start = at;
  for (;;) {
    while (start < text.length && isSpace(text, start)) start += 1;
    const below = trivia[firstFrom(trivia, start)];
    if (below === undefined || below.start > start || below.end <= start) return start;
    start = below.end;
  }
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text[at] ?? "");

/** Index of the first that begins at or behind a position. */
function firstFrom(trivia: readonly Span[], at: number): number {
  let low = 0;
  let high = trivia.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((trivia[middle] as Span).start < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
