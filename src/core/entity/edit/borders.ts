/**
 * Which part of a file's tree is listed so that what stands around an edit can be compared: all that holds a declaration,
 * and all that holds or touches an edge of an edited region, whatever blanks and comments lie between.
 */
import { codeEnd, codeStart } from "../code-edge.ts";
import type { Span } from "../declaration.ts";
import type { ShapeWish } from "../syntax.ts";
import { distinct } from "./regions.ts";

/** Nodes of a file that nobody has edited yet: a dense one is listed again around its edits alone. */
const roomFor = (text: string): number => 1_000 + text.length / 16;
/** Nodes around the edits of a file: 512 KiB of real code hold fewer in all lists that lie around them. */
const NODES = 150_000;

/** `regions` may be empty: then nothing but the owners of declarations is opened. */
export function wishFor(text: string, regions: readonly Span[]): ShapeWish {
  return {
    limit: regions.length === 0 ? roomFor(text) : NODES,
    around: (matches) => {
      const captures = matches.flat();
      const declared = captures.filter(({ name }) => name.startsWith("d."));
      const trivia = captures.filter(({ name }) => name === "trivia").sort((a, b) => a.start - b.start);
      return [
        ...declared.flatMap(({ start, end }) => [point(start), point(end)]),
        ...bordersOf(text, trivia, regions),
      ];
    },
  };
}

/** The exact neighbourhood of some spans, read with the comments of the file already known. */
export const wishAround = (text: string, trivia: readonly Span[], regions: readonly Span[]): ShapeWish => ({
  limit: NODES,
  around: () => bordersOf(text, trivia, regions),
});

const point = (at: number): Span => ({ start: at, end: at });

function bordersOf(text: string, trivia: readonly Span[], regions: readonly Span[]): Span[] {
  const order = [...regions].sort((a, b) => a.start - b.start || a.end - b.end);
  return distinct(order).flatMap(({ start, end }) => {
    let low = codeEnd(text, trivia, start);
    while (text[low - 1] === ";") low = codeEnd(text, trivia, low - 1);
    let high = codeStart(text, trivia, end);
    while (text[high] === ";") high = codeStart(text, trivia, high + 1);
    return [
      { start: low - 1, end: start },
      { start: end, end: high + 1 },
    ];
  });
}
