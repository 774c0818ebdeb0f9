/**
 * Walks the error nodes of a tree. Owns the bounds that keep a hostile file from costing more than an ordinary one.
 * It comes before any query: running one is quadratic in the child count of a flat ERROR node.
 */
import type { Node } from "web-tree-sitter";
import { sourceRefused } from "../core/entity/source-refused.ts";
import type { SyntaxFault } from "../core/entity/syntax.ts";

/** Children of one ERROR node beyond which a file is refused (10,000: 125 ms of query; 40,000: 2 s). */
export const ERROR_CHILDREN = 10_000;
/** Nodes with errors in them beyond which a file is refused: behind the walked ones a flat ERROR could hide. */
const BROKEN_NODES = 20_000;
/** Faults listed of one file. */
const LISTED = 1_000;

interface Step {
  node: Node;
  insideFault: boolean;
}

export function readFaults(root: Node): { faults: SyntaxFault[]; complete: boolean } {
  const faults: SyntaxFault[] = [];
  const stack: Step[] = [{ node: root, insideFault: false }];
  let visits = 0;
  let complete = true;
  // A stack of our own: hostile files nest deeper than the call stack.
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { node, insideFault } = step;
    if (!node.hasError) continue;
    visits += 1;
    if (visits > BROKEN_NODES || (node.isError && node.childCount > ERROR_CHILDREN)) {
      throw sourceRefused("too_many_errors");
    }
    const isFault = node.isError || node.isMissing;
    if (isFault && !insideFault) {
      if (faults.length < LISTED) {
        faults.push({
          kind: node.isMissing ? "missing" : "error",
          type: node.type,
          start: node.startIndex,
          end: node.endIndex,
        });
      } else complete = false;
    }
    const broken = node.children.filter((child) => child.hasError);
    for (const child of broken.reverse()) stack.push({ node: child, insideFault: insideFault || isFault });
  }
  return { faults, complete };
}
