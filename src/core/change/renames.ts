/**
 * Exact renames: a deleted and an added path with equal content become one `R`, as `git diff -M100%` pairs them.
 * Owns: which pairs. Refuses: similarity (a file renamed and edited stays D and A), and copies.
 */
import { compareByteOrder } from "./byte-order.ts";
import type { ChangeSide, PathChange } from "./tree-diff.ts";

export interface Rename {
  status: "R";
  /** Where it stands in head. */
  path: string;
  /** Where it stood in base. */
  from: string;
  base: ChangeSide;
  head: ChangeSide;
}

export type Change = PathChange | Rename;

/** How many equally good sources git looks at for one destination before it takes what it has. */
const SOURCES_EXAMINED = 100;

/**
 * Pairs deletions with additions of the same object id. Each destination, in path order, takes the first unused source
 * with its own basename, else the first unused one. Files may change their executable bit on the way; symlinks and
 * submodules only pair with their kind. The result is in git's order: a rename stands where its new path does.
 */
export function pairExactRenames(changes: readonly PathChange[]): Change[] {
  // Last source first, so that taking one of the first never moves a long tail.
  const sources = new Map<string, Source[]>();
  for (const { status, path, base } of inOrder(changes).reverse()) {
    if (status !== "D" || base === null) continue;
    const key = contentKey(base);
    const same = sources.get(key);
    if (same === undefined) sources.set(key, [{ path, base }]);
    else same.push({ path, base });
  }
  const moved = new Set<string>();
  const paired = inOrder(changes).map((change): Change => {
    if (change.status !== "A" || change.head === null) return change;
    const source = takeSource(sources.get(contentKey(change.head)) ?? [], change.path);
    if (source === null) return change;
    moved.add(source.path);
    return { status: "R", path: change.path, from: source.path, base: source.base, head: change.head };
  });
  return paired.filter((change) => !(change.status === "D" && moved.has(change.path)));
}

interface Source {
  path: string;
  base: ChangeSide;
}

/** Removes and returns the source git would choose; null when there is none left. */
function takeSource(unused: Source[], destination: string): Source | null {
  const name = basename(destination);
  const first = unused.length - 1;
  const stop = Math.max(unused.length - SOURCES_EXAMINED, 0);
  let at = first;
  while (at >= stop && basename(unused[at]?.path ?? "") !== name) at -= 1;
  return unused.splice(at >= stop ? at : first, 1)[0] ?? null;
}

const inOrder = <T extends PathChange>(changes: readonly T[]): T[] =>
  [...changes].sort((left, right) => compareByteOrder(left.path, right.path));

const contentKey = ({ mode, id }: ChangeSide): string => `${mode.startsWith("100") ? "100" : mode} ${id}`;

const basename = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
