/**
 * What a tree says about one name: mode, kind and object id.
 * Follows git's tree modes; a symlink and a submodule are named as what they are, never followed.
 */
import type { ObjectId } from "./object-id.ts";

/** `blob` with mode 100755 is `executable`; mode 160000 is `submodule` and its `id` names a commit elsewhere. */
export type EntryKind = "file" | "executable" | "symlink" | "submodule" | "directory";

export interface TreeEntry {
  /** Path from the root, `/` between segments. Text as UTF-8; names that are not UTF-8 hold U+FFFD. */
  path: string;
  /** Six octal digits as `git ls-tree` prints them: 100644, 100755, 120000, 160000, 040000 (old trees: 100664). */
  mode: string;
  kind: EntryKind;
  id: ObjectId;
  /** Blob size in bytes where the host told it, else null. */
  size: number | null;
}

/** Kind by mode, as git takes it: any file with the owner's execute bit is executable. Null for a mode git does not know. */
export function kindOfMode(mode: string): EntryKind | null {
  if (mode === "120000") return "symlink";
  if (mode === "160000") return "submodule";
  if (mode === "040000" || mode === "40000") return "directory";
  if (!/^100[0-7]{3}$/.test(mode)) return null;
  return Number.parseInt(mode, 8) & 0o100 ? "executable" : "file";
}
