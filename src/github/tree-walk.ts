/**
 * From a commit's root tree to an entry, a directory, or all paths. Owns the order, the assurance and the bound of the walk.
 * Uses one recursive listing where the host gives it whole, else single trees, only as far as the path needs.
 */
import type { ObjectId } from "../core/git/object-id.ts";
import type { TreeEntry } from "../core/git/tree-entry.ts";
import { entryOf, itemNamed, type ListedTree, type Trees } from "../core/git/tree-listing.ts";
import type { Assurance, FoundEntry, Listing } from "../ports/repository-reader.ts";
import { unexpected } from "./failure.ts";
import type { Repository } from "./repository.ts";
import { knownRecursive, type Recursive, readLevel, readRecursive } from "./trees.ts";

/** Requests that listing all paths of one commit may take; beyond, the listing says that it is not complete. */
const REQUESTS_AT_MOST = 100;
/** Trees asked for at a time: a Worker may hold six connections open. */
const AT_A_TIME = 4;

const treeIn = (trees: Trees, id: ObjectId): ListedTree => {
  const tree = trees.get(id);
  if (tree === undefined) throw unexpected("a tree", "a listing lacks a tree that it names");
  return tree;
};

const weaker = (a: Assurance, b: Assurance): Assurance => (a === "hashed" ? b : a);

interface Place {
  entry: TreeEntry;
  assurance: Assurance;
  /** The tree itself when the entry is a directory. */
  tree: ListedTree | null;
}

async function walk(repository: Repository, root: ObjectId, path: string): Promise<Place | null> {
  const trees = await readRecursive(repository, root);
  const load = async (id: ObjectId) => (trees === "cut" ? readLevel(repository, id) : treeIn(trees, id));
  let place: Place = {
    entry: { path: "", mode: "040000", kind: "directory", id: root, size: null },
    assurance: "hashed",
    tree: await load(root),
  };
  for (const name of path === "" ? [] : path.split("/")) {
    if (place.tree === null) return null;
    const item = itemNamed(place.tree, name);
    if (item === null) return null;
    place = {
      entry: entryOf(item, place.entry.path),
      assurance: weaker(place.assurance, place.tree.assurance),
      tree: item.kind === "directory" ? await load(item.id) : null,
    };
  }
  return place;
}

export async function findEntry(
  repository: Repository,
  root: ObjectId,
  path: string,
): Promise<FoundEntry | null> {
  const place = await walk(repository, root, path);
  return place === null ? null : { entry: place.entry, assurance: place.assurance };
}

export async function listDirectory(
  repository: Repository,
  root: ObjectId,
  path: string,
): Promise<Listing | null> {
  const place = await walk(repository, root, path);
  if (place === null || place.tree === null) return null;
  return {
    entries: place.tree.items.map((item) => entryOf(item, path)),
    assurance: weaker(place.assurance, place.tree.assurance),
    complete: true,
  };
}

const joined = (parts: readonly Listing[]): Listing => ({
  entries: parts.flatMap((part) => part.entries),
  assurance: parts.map((part) => part.assurance).reduce(weaker, "hashed"),
  complete: parts.every((part) => part.complete),
});

/** All paths below a tree that is listed whole. */
function listingOf(trees: Trees, id: ObjectId, directory: string): Listing {
  const entries: TreeEntry[] = [];
  let assurance: Assurance = "hashed";
  const visit = (treeId: ObjectId, at: string): void => {
    const tree = treeIn(trees, treeId);
    assurance = weaker(assurance, tree.assurance);
    for (const item of tree.items) {
      const entry = entryOf(item, at);
      if (item.kind === "directory") visit(item.id, entry.path);
      else entries.push(entry);
    }
  };
  visit(id, directory);
  return { entries, assurance, complete: true };
}

/** Every path below a root that is not a directory, in git's order. */
export async function listPaths(repository: Repository, root: ObjectId): Promise<Listing> {
  const { ledger } = repository.tiers;
  const started = ledger.upstreamRequests;
  const spent = (): boolean => ledger.upstreamRequests - started >= REQUESTS_AT_MOST;
  const none: Listing = { entries: [], assurance: "hashed", complete: false };

  const visit = async (id: ObjectId, directory: string): Promise<Listing> => {
    if (spent()) {
      const known = await knownRecursive(repository, id);
      return known === null || known === "cut" ? none : listingOf(known, id, directory);
    }
    const trees: Recursive = await readRecursive(repository, id);
    if (trees !== "cut") return listingOf(trees, id, directory);
    const level = await readLevel(repository, id);
    const parts: Listing[] = [];
    for (let at = 0; at < level.items.length; ) {
      const group = level.items.slice(at, at + AT_A_TIME);
      at += group.length;
      const listings = group.map(async (item): Promise<Listing> => {
        const entry = entryOf(item, directory);
        if (item.kind === "directory") return visit(item.id, entry.path);
        return { entries: [entry], assurance: "hashed", complete: true };
      });
      parts.push(...(await Promise.all(listings)));
    }
    return joined([{ entries: [], assurance: level.assurance, complete: true }, ...parts]);
  };
  return visit(root, "");
}

/** The same without asking the host; null when that cannot be. */
export async function listKnownPaths(repository: Repository, root: ObjectId): Promise<Listing | null> {
  const trees = await knownRecursive(repository, root);
  return trees === null || trees === "cut" ? null : listingOf(trees, root, "");
}
