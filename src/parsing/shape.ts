/**
 * Lists the part of a tree that lies around given spans: every node that one of them overlaps is opened, the others are
 * told by type, span and size. Owns the walk: a cursor, so that no node object is made, in one pass without a call stack.
 */
import type { Tree } from "web-tree-sitter";
import type { Span } from "../core/entity/declaration.ts";
import type { ShapeNode } from "../core/entity/syntax.ts";

/** Null when more than `limit` nodes would be listed. */
export function readShape(tree: Tree, around: readonly Span[], limit: number): ShapeNode[] | null {
  const borders = disjoint(around);
  const nodes: ShapeNode[] = [];
  const starts: number[] = [];
  /** The listed nodes around the cursor, and the last one on its own level: their size is known where the next begins. */
  const pending: number[] = [];
  const settle = (depth: number, index: number): void => {
    while (pending.length > depth) {
      const at = pending.pop() as number;
      (nodes[at] as ShapeNode).descendants = index - (starts[at] as number) - 1;
    }
  };
  const cursor = tree.walk();
  try {
    const total = tree.rootNode.descendantCount;
    let more = cursor.gotoFirstChild();
    let depth = 0;
    while (more) {
      if (nodes.length >= limit) return null;
      const index = cursor.currentDescendantIndex;
      settle(depth, index);
      const { startIndex: start, endIndex: end } = cursor;
      const open = overlapsOne(borders, start, end);
      pending.push(nodes.length);
      starts.push(index);
      const node: ShapeNode = { type: cursor.nodeType, depth, start, end, descendants: 0, open };
      nodes.push(node);
      if (open && cursor.gotoFirstChild()) {
        depth += 1;
        continue;
      }
      more = cursor.gotoNextSibling();
      while (!more && depth > 0) {
        cursor.gotoParent();
        depth -= 1;
        more = cursor.gotoNextSibling();
      }
    }
    settle(0, total);
    return nodes;
  } finally {
    cursor.delete();
  }
}

/** Sorted, with what overlaps or touches joined. */
function disjoint(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

function overlapsOne(borders: readonly Span[], start: number, end: number): boolean {
  let low = 0;
  let high = borders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((borders[middle] as Span).end > start) high = middle;
    else low = middle + 1;
  }
  const border = borders[low];
  return border !== undefined && border.start < end;
}
