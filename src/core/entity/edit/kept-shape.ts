/**
 * The tree of a file without its edited regions: what is left of it when the text in them, blanks and comments are taken
 * out. Two states of a file mean the same outside an edit when these are equal. Owns what counts as left.
 */
import type { Span } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { ShapeNode } from "../syntax.ts";

export interface KeptNode {
  type: string;
  depth: number;
  /** Where it stands after the splices; without the blanks at its ends. */
  start: number;
  end: number;
  /** Where it stands in its own text. */
  at: number;
  descendants: number;
  open: boolean;
  /** Whether a region lies in it or over one of its ends. */
  edited: boolean;
  /** Whether it is a string that a statement consists of, with nothing but such before it in its block: a directive or docstring. */
  leading: boolean;
}

const TRIVIA = new Set([
  "comment",
  "line_comment",
  "block_comment",
  "html_comment",
  "hash_bang_line",
  "line_continuation",
]);

/** `regions` are disjoint; `moved` tells where a position outside them stands after the splices. */
export function keptShape(
  unit: SourceUnit,
  shape: readonly ShapeNode[],
  regions: readonly Span[],
  moved: (at: number) => number,
): KeptNode[] {
  const { text } = unit.source;
  const inside = regions.filter(({ start, end }) => end > start);
  const kept: (KeptNode | null)[] = [];
  /** For each depth, whether all that came in the present list are leading strings. */
  const lists: { leading: boolean }[] = [];
  /** Depth of a node that is taken out with all it holds. */
  let out = Number.POSITIVE_INFINITY;
  for (const node of shape) {
    if (node.depth > out) {
      kept.push(null);
      continue;
    }
    out = Number.POSITIVE_INFINITY;
    lists.length = Math.min(lists.length, node.depth + 1);
    lists[node.depth] ??= { leading: true };
    const list = lists[node.depth] as { leading: boolean };
    const [start, end] = trimmed(text, node);
    const blank = start >= end || TRIVIA.has(node.type) || (unit.spec.semicolons && node.type === ";");
    if (blank || isWithin(inside, start, end)) {
      list.leading &&= blank;
      out = node.depth;
      kept.push(null);
      continue;
    }
    list.leading &&= node.type === "expression_statement" && isString(text.slice(start, end));
    const edited = overlaps(regions, start, end);
    kept.push({
      type: node.type,
      depth: node.depth,
      start: moved(start),
      // What is inserted at its end stays outside.
      end: moved(end - 1) + 1,
      at: start,
      descendants: node.descendants,
      open: node.open && node.descendants > 0,
      edited,
      leading: list.leading,
    });
  }
  return withoutHollow(kept, shape);
}

/** Drops open nodes of which nothing is left; comes from the end, so that what a node holds is known before it. */
function withoutHollow(kept: readonly (KeptNode | null)[], shape: readonly ShapeNode[]): KeptNode[] {
  const held = new Map<number, boolean>();
  const left: KeptNode[] = [];
  for (let index = kept.length - 1; index >= 0; index--) {
    const { depth } = shape[index] as ShapeNode;
    const node = kept[index] ?? null;
    const holds = held.get(depth + 1) === true;
    held.delete(depth + 1);
    if (node === null || (node.open && !holds)) continue;
    left.push(node);
    held.set(depth, true);
  }
  return left.reverse();
}

function trimmed(text: string, { start, end }: Span): [number, number] {
  let low = start;
  let high = end;
  while (low < high && /\s/.test(text[low] ?? "")) low += 1;
  while (high > low && /\s/.test(text[high - 1] ?? "")) high -= 1;
  return [low, high];
}

/** Index of the first span that ends behind a position. */
function firstBehind(spans: readonly Span[], at: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).end > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function overlaps(regions: readonly Span[], start: number, end: number): boolean {
  const region = regions[firstBehind(regions, start)];
  return region !== undefined && region.start < end;
}

function isWithin(regions: readonly Span[], start: number, end: number): boolean {
  const region = regions[firstBehind(regions, start)];
  return region !== undefined && region.start <= start && end <= region.end;
}

const BEHIND_STRING = /^(?:\s|;|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*$/;

/** One string literal and nothing else, but for comments and a `;`. */
function isString(statement: string): boolean {
  const opening = /^[a-zA-Z]{0,2}("""|'''|["'])/.exec(statement.slice(0, 5));
  if (opening === null) return false;
  const quote = opening[1] as string;
  let at = opening[0].length;
  while (at < statement.length && !statement.startsWith(quote, at)) at += statement[at] === "\\" ? 2 : 1;
  return BEHIND_STRING.test(statement.slice(at + quote.length, at + quote.length + 2_000));
}
