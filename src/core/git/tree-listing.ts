/**
 * Listed trees: a flat recursive listing taken apart into the trees it names, each proven, and found again by id. Pure.
 * Owns the walk from a root to a path. A path through a symlink or a submodule leads nowhere: they are never followed.
 * Refuses listings that contradict themselves or the ids they name (`damaged`).
 */
import { GitpinError } from "../../errors.ts";
import type { ObjectId } from "./object-id.ts";
import { EMPTY_TREE, inGitOrder, type TreeItem } from "./tree.ts";
import { type EntryKind, kindOfMode, type TreeEntry } from "./tree-entry.ts";
import { proveTree } from "./tree-proof.ts";

/** One name of a listed tree. `size` in bytes where the host told it. */
export interface ListedItem extends TreeItem {
  kind: EntryKind;
  size: number | null;
}

export interface ListedTree {
  id: ObjectId;
  /** In git's order. */
  items: readonly ListedItem[];
  /** `attested` when the host's text cannot carry what the tree holds. */
  assurance: "hashed" | "attested";
}

/** Trees by id. A host's recursive answer yields all trees below a root, a plain one a single tree. */
export type Trees = ReadonlyMap<ObjectId, ListedTree>;

/** A row of a recursive listing; `path` from its root. */
export interface ListedRow {
  path: string;
  mode: string;
  /** The object type the host names; decides the kind where the mode is none that git knows. */
  type: "blob" | "tree" | "commit";
  id: ObjectId;
  size: number | null;
}

const KIND_OF_TYPE = { blob: "file", tree: "directory", commit: "submodule" } as const;

/** Why a listing cannot be used: it was damaged on its way, and the same request may succeed. */
export interface Damaged {
  damaged: string;
}

const emptyTree: ListedTree = { id: EMPTY_TREE, items: [], assurance: "hashed" };

/** The tree without entries is known without asking: hosts may not store it. */
export const emptyTrees: Trees = new Map([[EMPTY_TREE, emptyTree]]);

function listedTree(id: ObjectId, items: ListedItem[]): ListedTree | null {
  const ordered = inGitOrder(items);
  const finding = proveTree(id, ordered);
  return finding === "damaged" ? null : { id, items: ordered, assurance: finding };
}

/**
 * All trees of a listing under `root`. With `recursive: false` the rows are the children of one tree, and the
 * trees they name are not looked into. Rows are read once, in whatever order, and not kept.
 */
export function treesOf(root: ObjectId, rows: Iterable<ListedRow>, recursive: boolean): Trees | Damaged {
  const ids = new Map<string, ObjectId>([["", root]]);
  const children = new Map<string, ListedItem[]>();
  const childrenOf = (directory: string): ListedItem[] => {
    const known = children.get(directory);
    if (known !== undefined) return known;
    const none: ListedItem[] = [];
    children.set(directory, none);
    return none;
  };
  for (const { path, mode, type, id, size } of rows) {
    const kind = kindOfMode(mode) ?? KIND_OF_TYPE[type];
    if ((kind === "directory") !== (type === "tree")) return { damaged: "a mode contradicts its type" };
    if (type === "tree" && recursive) {
      if (ids.has(path)) return { damaged: "a directory is listed twice" };
      ids.set(path, id);
    }
    const slash = path.lastIndexOf("/");
    const siblings = childrenOf(slash < 0 ? "" : path.slice(0, slash));
    siblings.push({ name: path.slice(slash + 1), mode, kind, id, size });
  }
  for (const directory of children.keys()) {
    if (!ids.has(directory)) return { damaged: "a path is listed without its directory" };
  }
  const trees = new Map<ObjectId, ListedTree>();
  for (const [path, id] of ids) {
    const tree = listedTree(id, children.get(path) ?? []);
    if (tree === null) return { damaged: "a tree does not have the id it is listed under" };
    trees.set(id, tree);
  }
  return trees;
}

/** The entry that an item makes at `directory` (empty for the root). */
export function entryOf(item: ListedItem, directory: string): TreeEntry {
  const path = directory === "" ? item.name : `${directory}/${item.name}`;
  return { path, mode: item.mode, kind: item.kind, id: item.id, size: item.size };
}

/**
 * The one item of that name; null when there is none. Throws `path_ambiguous` when several look alike: names that are
 * not UTF-8 reach us with U+FFFD in place of the bytes, and a guess could give out the wrong file.
 */
export function itemNamed(tree: ListedTree, name: string): ListedItem | null {
  const [first, ...others] = tree.items.filter((item) => item.name === name);
  if (others.length === 0) return first ?? null;
  throw new GitpinError(
    "path_ambiguous",
    `${others.length + 1} entries of one directory read alike at this commit: their names are not all UTF-8.`,
    "Read them with git in a clone; GitHub's API cannot tell their names apart.",
    { field: "sourcePath" },
  );
}

/** Rows that `treesOf` turns into the same trees again, one after the other: directories before what they hold, in git's order. */
export function* rowsOf(root: ObjectId, trees: Trees): Generator<ListedRow> {
  const visit = function* (id: ObjectId, directory: string): Generator<ListedRow> {
    for (const item of trees.get(id)?.items ?? []) {
      const { path, mode, size } = entryOf(item, directory);
      const isTree = item.kind === "directory";
      const type = isTree ? "tree" : item.kind === "submodule" ? "commit" : "blob";
      yield { path, mode, type, id: item.id, size };
      if (isTree) yield* visit(item.id, path);
    }
  };
  yield* visit(root, "");
}
