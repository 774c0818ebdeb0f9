/**
 * What differs between two trees: equal to `git diff --name-status --no-renames base head`, letters and order.
 * Owns: A, M, D and T. Knows nothing of renames (`renames.ts`), of line changes, or of how the listings were read.
 * Names that are not UTF-8 arrive with U+FFFD; two such names can look alike, so a caller that finds U+FFFD says so.
 */
import type { TreeEntry } from "../git/tree-entry.ts";
import { compareByteOrder } from "./byte-order.ts";

/** One path of a flat (recursive) listing. Directories may be among them and are passed over. */
export type ListedPath = Pick<TreeEntry, "path" | "mode" | "kind" | "id">;

/** What stands at a path on one side of a change. */
export type ChangeSide = Pick<TreeEntry, "mode" | "kind" | "id">;

/**
 * A: only in head. D: only in base. M: other content, other submodule commit, or other executable bit.
 * T: file, symlink and submodule exchanged for one another.
 */
export type ChangeStatus = "A" | "M" | "D" | "T";

export interface PathChange {
  status: ChangeStatus;
  path: string;
  /** Null for A. */
  base: ChangeSide | null;
  /** Null for D. */
  head: ChangeSide | null;
}

/** Compares two flat listings, in whatever order they come. Neither is changed. */
export function diffTrees(base: readonly ListedPath[], head: readonly ListedPath[]): PathChange[] {
  const before = inGitOrder(base);
  const after = inGitOrder(head);
  const changes: PathChange[] = [];
  let b = 0;
  let h = 0;
  for (;;) {
    const old = before[b];
    const now = after[h];
    if (old === undefined && now === undefined) return changes;
    const order = old === undefined ? 1 : now === undefined ? -1 : compareByteOrder(old.path, now.path);
    if (old !== undefined && order <= 0) b += 1;
    if (now !== undefined && order >= 0) h += 1;
    if (old !== undefined && order < 0) {
      changes.push({ status: "D", path: old.path, base: side(old), head: null });
    } else if (now !== undefined && order > 0) {
      changes.push({ status: "A", path: now.path, base: null, head: side(now) });
    } else if (old !== undefined && now !== undefined) {
      const status = statusOf(old, now);
      if (status !== null) changes.push({ status, path: now.path, base: side(old), head: side(now) });
    }
  }
}

const inGitOrder = (listing: readonly ListedPath[]): ListedPath[] =>
  listing
    .filter((entry) => entry.kind !== "directory")
    .sort((left, right) => compareByteOrder(left.path, right.path));

const side = ({ mode, kind, id }: ListedPath): ChangeSide => ({ mode, kind, id });

function statusOf(old: ListedPath, now: ListedPath): "M" | "T" | null {
  const [before, after] = [effectiveMode(old.mode), effectiveMode(now.mode)];
  if (before.slice(0, 3) !== after.slice(0, 3)) return "T";
  return old.id === now.id && before === after ? null : "M";
}

/** Git reads every file mode as 100644 or 100755, by the owner's execute bit; trees of old days hold others. */
function effectiveMode(mode: string): string {
  if (!mode.startsWith("100")) return mode;
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? "100644" : "100755";
}
