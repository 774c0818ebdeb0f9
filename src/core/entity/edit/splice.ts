/**
 * Replacing spans of a text, all addressed in the original. Owns how positions and spans move with it.
 * Text outside the spans is never touched. Units: UTF-16, end exclusive.
 */
import type { Span } from "../declaration.ts";

export interface Splice extends Span {
  text: string;
}

export interface Spliced {
  text: string;
  /** Where the replacement of each splice stands now, in the order they were given. */
  regions: Span[];
  /** Where a span stands now; what is inserted at its edges stays outside. */
  move(span: Span): Span;
}

export function applySplices<S extends Splice>(text: string, splices: readonly S[]): Spliced {
  const order = splices
    .map((splice, index) => ({ splice, index }))
    .sort((a, b) => a.splice.start - b.splice.start || a.splice.end - b.splice.end || a.index - b.index);
  const regions: Span[] = new Array(splices.length);
  const pieces: string[] = [];
  let read = 0;
  let written = 0;
  for (const { splice, index } of order) {
    const kept = text.slice(read, splice.start);
    pieces.push(kept, splice.text);
    written += kept.length;
    regions[index] = { start: written, end: written + splice.text.length };
    written += splice.text.length;
    read = splice.end;
  }
  pieces.push(text.slice(read));
  const shift = (counts: (splice: Splice) => boolean): number =>
    splices.reduce((sum, splice) => {
      return counts(splice) ? sum + splice.text.length - (splice.end - splice.start) : sum;
    }, 0);
  return {
    text: pieces.join(""),
    regions,
    move: (span) => {
      // A splice that cuts the end off moves it to where the cut begins.
      const cut = order.find(({ splice }) => splice.start < span.end && splice.end > span.end)?.splice;
      const end = cut === undefined ? span.end : cut.start;
      return {
        start: span.start + shift((splice) => splice.end <= span.start),
        // An insertion at the very end is behind the span; one inside or before it moves the end.
        end: end + shift((splice) => splice.start < end && splice.end <= end),
      };
    },
  };
}

/** Two splices that address common text, or the same empty place while one of them replaces; null when there are none. */
export function overlapping<S extends Splice>(splices: readonly S[]): [S, S] | null {
  const order = [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
  for (let at = 1; at < order.length; at++) {
    const before = order[at - 1] as S;
    const after = order[at] as S;
    if (after.start < before.end) return [before, after];
  }
  return null;
}
