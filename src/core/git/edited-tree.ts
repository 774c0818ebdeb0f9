/**
 * The trees of a commit after some of its files were written: their ids and bytes, computed from listings. Pure.
 * Only directories on the way to a written file are encoded anew; each is first encoded as it was listed and must have the id it
 * is listed under, so nothing is built on a listing that does not say all there is (names that are not UTF-8, old modes).
 * Follows git's object format, as `tree.ts` does. Refuses to turn a file into a directory, or a directory into a file.
 */
import { objectId } from "./hash.ts";
import type { ObjectId } from "./object-id.ts";
import { assertPath } from "./path.ts";
import { EMPTY_TREE, encodeTree, inGitOrder } from "./tree.ts";
import { kindOfMode, type TreeEntry } from "./tree-entry.ts";
import type { ListedItem } from "./tree-listing.ts";

/** A file as it shall stand. */
export interface EditedFile {
  path: string;
  /** Six octal digits. */
  mode: string;
  /** Blob id of `bytes`. */
  blob: ObjectId;
  bytes: Uint8Array;
}

/** Direct children of directories, by the directory's path; the root's is empty. */
export type Levels = ReadonlyMap<string, readonly TreeEntry[]>;

/** A tree that was not there before. */
export interface MadeTree {
  directory: string;
  id: ObjectId;
  /** In git's order. */
  items: readonly ListedItem[];
  /** The tree object. */
  bytes: Uint8Array;
}

/**
 * `not_rebuilt`: the directory, as listed, does not have the id it is listed under. `not_a_directory`: a file stands where a
 * directory is needed. `is_a_directory`: a directory stands where a file shall be. `written_twice`: two files have that path.
 */
export interface TreeFault {
  fault: "not_rebuilt" | "not_a_directory" | "is_a_directory" | "written_twice";
  path: string;
}

export interface EditedTree {
  root: ObjectId;
  /** Trees that differ from those before, the root first. */
  made: readonly MadeTree[];
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Directories that `editedTree` wants listed, where they exist: the root first, each before what it holds. */
export function touchedDirectories(paths: Iterable<string>): string[] {
  const directories = new Set([""]);
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      directories.add(path.slice(0, slash));
    }
  }
  return [...directories].sort((a, b) => a.length - b.length);
}

const itemOf = ({ path, mode, kind, id, size }: TreeEntry): ListedItem => ({
  name: nameOf(path),
  mode,
  kind,
  id,
  size,
});

/**
 * Every directory of a commit, from all of its paths that are none. What the paths do not show (empty directories) is missing, and
 * `editedTree` finds that the root cannot be rebuilt.
 */
export function levelsOfPaths(entries: Iterable<TreeEntry>): Levels {
  const levels = new Map<string, TreeEntry[]>([["", []]]);
  const childrenOf = (directory: string): TreeEntry[] => {
    const known = levels.get(directory);
    if (known !== undefined) return known;
    const children: TreeEntry[] = [];
    levels.set(directory, children);
    childrenOf(parentOf(directory));
    return children;
  };
  for (const entry of entries) childrenOf(parentOf(entry.path)).push(entry);
  // A directory's path is longer than that of any directory it lies in, so its id is known before it is needed.
  for (const [path, children] of [...levels].sort(([a], [b]) => b.length - a.length)) {
    if (path === "") continue;
    const id = objectId("tree", encodeTree(children.map(itemOf)));
    childrenOf(parentOf(path)).push({ path, mode: "040000", kind: "directory", id, size: null });
  }
  return levels;
}

class Refused extends Error {
  readonly fault: TreeFault;

  constructor(fault: TreeFault["fault"], path: string) {
    super(fault);
    this.fault = { fault, path };
  }
}

/** What is written, by directory: files, and directories on the way to files. */
function writesOf(files: readonly EditedFile[]): Map<string, { files: EditedFile[]; directories: string[] }> {
  const writes = new Map<string, { files: EditedFile[]; directories: string[] }>();
  for (const directory of touchedDirectories(files.map(({ path }) => path))) {
    writes.set(directory, { files: [], directories: [] });
    if (directory !== "") writes.get(parentOf(directory))?.directories.push(directory);
  }
  for (const file of files) writes.get(parentOf(file.path))?.files.push(file);
  return writes;
}

/**
 * The trees after `files` were written. `root`: id of the commit's root tree. `levels` lists at least the touched directories
 * that exist. Throws `invalid_path`, and `RangeError` for a mode that no file has.
 */
export function editedTree(
  root: ObjectId,
  levels: Levels,
  files: readonly EditedFile[],
): EditedTree | TreeFault {
  for (const { path, mode } of files) {
    assertPath(path, "path");
    const kind = kindOfMode(mode);
    if (path === "" || kind === null || kind === "directory" || kind === "submodule")
      throw new RangeError(`no file has the mode ${mode}`);
  }
  const writes = writesOf(files);
  const made: MadeTree[] = [];

  const listed = (directory: string, id: ObjectId | null): Map<string, ListedItem> => {
    const entries = id === null || id === EMPTY_TREE ? [] : levels.get(directory);
    const items = (entries ?? []).map(itemOf);
    const rebuilt = entries !== undefined && objectId("tree", encodeTree(items)) === (id ?? EMPTY_TREE);
    const byName = new Map(items.map((item) => [item.name, item]));
    if (!rebuilt || byName.size !== items.length) throw new Refused("not_rebuilt", directory);
    return byName;
  };

  /** `id`: of the directory as it was; null where it is new. */
  const write = (directory: string, id: ObjectId | null): ObjectId => {
    const items = listed(directory, id);
    const place = made.length;
    const { files: here, directories } = writes.get(directory) ?? { files: [], directories: [] };
    const written = new Set<string>();
    for (const path of directories) {
      const name = nameOf(path);
      const before = items.get(name);
      if (before !== undefined && before.kind !== "directory") throw new Refused("not_a_directory", path);
      const after = write(path, before?.id ?? null);
      items.set(name, { name, mode: before?.mode ?? "040000", kind: "directory", id: after, size: null });
    }
    for (const { path, mode, blob, bytes } of here) {
      const name = nameOf(path);
      if (written.has(name)) throw new Refused("written_twice", path);
      written.add(name);
      if (items.get(name)?.kind === "directory") throw new Refused("is_a_directory", path);
      items.set(name, { name, mode, kind: kindOfMode(mode) ?? "file", id: blob, size: bytes.byteLength });
    }
    const ordered = inGitOrder([...items.values()]);
    const bytes = encodeTree(ordered);
    const after = objectId("tree", bytes);
    if (after !== id) made.splice(place, 0, { directory, id: after, items: ordered, bytes });
    return after;
  };

  try {
    return { root: write("", root), made };
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.fault;
    throw thrown;
  }
}
