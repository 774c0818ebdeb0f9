/**
 * The edited regions of a file in both of its states, in the order of the text. Owns where a position outside them
 * stands afterwards, and that an import statement whose names change counts as edited whole.
 */
import type { Span } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { Step } from "./footprint.ts";
import type { Spliced } from "./splice.ts";

export interface Regions {
  /** For each step its span. */
  before: Span[];
  /** What stands there now: the same in number and order. */
  after: Span[];
  /** For positions outside the regions; what is inserted at one comes before it. */
  moved(at: number): number;
}

export function regionsOf(steps: readonly Step[], spliced: Spliced): Regions {
  const order = steps
    .map(({ start, end }, index) => ({ before: { start, end }, after: spliced.regions[index] as Span }))
    .sort((a, b) => a.before.start - b.before.start || a.after.start - b.after.start);
  const before = order.map((one) => one.before);
  const after = order.map((one) => one.after);
  const moved = (at: number): number => {
    let low = 0;
    let high = before.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((before[middle] as Span).end <= at) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return at;
    return at + (after[low - 1] as Span).end - (before[low - 1] as Span).end;
  };
  return { before, after, moved };
}

/** Disjoint; where imports are edited, with the import statements that a region lies in or touches. */
export function withImports(unit: SourceUnit, regions: readonly Span[], steps: readonly Step[]): Span[] {
  if (!steps.some(({ purpose }) => purpose.effect === "imports")) return [...regions];
  const touched = unit.outline.imports.filter((one) =>
    regions.some((region) => region.start <= one.end && region.end >= one.start),
  );
  const joined: Span[] = [];
  for (const span of [...regions, ...touched].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last !== undefined && span.start <= last.end && last.end > last.start) {
      last.end = Math.max(last.end, span.end);
    } else joined.push({ ...span });
  }
  return joined;
}

/** Sorted spans without repetition: many things may be made in one place, and what lies around it is to be walked once. */
export const distinct = (spans: readonly Span[]): Span[] =>
  spans.filter(({ start, end }, index) => {
    const before = spans[index - 1];
    return before === undefined || before.start !== start || before.end !== end;
  });
