/**
 * What was just written, told to the caches, so that reading it costs no request: the branch's tip, the commit, its blobs, and its trees
 * where those before them are known. Asks the host nothing. Every id was computed here, and the host came to the same.
 */
import { type EditedTree, editedTree, type Levels, touchedDirectories } from "../../core/git/edited-tree.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { TreeEntry } from "../../core/git/tree-entry.ts";
import { entryOf, type ListedTree, type Trees } from "../../core/git/tree-listing.ts";
import type { CommitFile } from "../../ports/repository-writer.ts";
import { keepBlob } from "../blobs.ts";
import type { Repository } from "../repository.ts";
import {
  keepLevel,
  keepRecursive,
  knownRecursive,
  levelInMemory,
  type Recursive,
  recursiveInMemory,
} from "../trees.ts";

export interface Written {
  /** Root trees before and after. */
  before: ObjectId;
  after: ObjectId;
  files: readonly CommitFile[];
}

/** Directories on the way to the files, as far as `treeOf` knows them. */
function levelsOf(
  root: ObjectId,
  files: readonly CommitFile[],
  treeOf: (id: ObjectId) => ListedTree | undefined,
): Levels {
  const levels = new Map<string, TreeEntry[]>();
  const ids = new Map([["", root]]);
  for (const directory of touchedDirectories(files.map(({ path }) => path))) {
    const tree = treeOf(ids.get(directory) ?? "");
    if (tree === undefined) continue;
    const entries = tree.items.map((item) => entryOf(item, directory));
    levels.set(directory, entries);
    for (const { path, kind, id } of entries) if (kind === "directory") ids.set(path, id);
  }
  return levels;
}

const listed = ({ made }: EditedTree): Map<ObjectId, ListedTree> =>
  new Map(made.map(({ id, items }) => [id, { id, items, assurance: "hashed" }]));

/** All trees below the new root, most of them those from before. */
function treesBelow(root: ObjectId, made: Trees, before: Trees): Trees {
  const trees = new Map<ObjectId, ListedTree>();
  const visit = (id: ObjectId): void => {
    const tree = made.get(id) ?? before.get(id);
    if (tree === undefined || trees.has(id)) return;
    trees.set(id, tree);
    for (const item of tree.items) if (item.kind === "directory") visit(item.id);
  };
  visit(root);
  return trees;
}

function keepTrees(repository: Repository, known: Recursive, { before, after, files }: Written): void {
  const treeOf = (id: ObjectId) => (known === "cut" ? levelInMemory(repository, id) : known.get(id));
  const edited = editedTree(before, levelsOf(before, files, treeOf), files);
  if (!("root" in edited) || edited.root !== after) return;
  const made = listed(edited);
  if (known !== "cut") {
    keepRecursive(repository, after, treesBelow(after, made, known));
    return;
  }
  // A listing that was too long before is too long after.
  keepRecursive(repository, after, "cut");
  for (const tree of made.values()) keepLevel(repository, tree);
}

/** Where the trees before are in the store only, the new ones are kept a moment later. */
export function keepWritten(repository: Repository, written: Written): void {
  for (const { blob, bytes } of written.files) keepBlob(repository, blob, bytes);
  const near = recursiveInMemory(repository, written.before);
  if (near !== undefined) {
    keepTrees(repository, near, written);
    return;
  }
  const later = async (): Promise<void> => {
    const known = await knownRecursive(repository, written.before);
    if (known !== null) keepTrees(repository, known, written);
  };
  repository.tiers.background.keepAlive(Promise.allSettled([later()]));
}
