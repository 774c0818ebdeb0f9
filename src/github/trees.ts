/**
 * Trees: the recursive listing of a root in one request, or level by level where the host cuts or refuses that.
 * Every tree is proven when it comes in and again when it comes out of the store. Always asked for by tree id, so that all is
 * content-addressed. A cut listing is never used: what it lacks cannot be told from what is not there.
 */
import { type Key, objectKey } from "../cache/keys.ts";
import { seal, sealPieces, unseal } from "../cache/sealed.ts";
import { type Form, keep, readKnown, readThrough } from "../cache/tiered.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import {
  emptyTrees,
  type ListedRow,
  type ListedTree,
  rowsOf,
  type Trees,
  treesOf,
} from "../core/git/tree-listing.ts";
import { corrupt, unexpected } from "./failure.ts";
import { type Repository, repeatIfDamaged } from "./repository.ts";
import { readTreeAnswer } from "./tree-answer.ts";

/** `cut`: the host does not list it in one answer; it must be walked. */
export type Recursive = Trees | "cut";

const CUT = "cut";

/** Rows as text, as `git ls-tree -r -t -l -z` prints them: `mode SP type SP id SP size TAB path NUL`. */
const rowText = ({ mode, type, id, size, path }: ListedRow): string =>
  `${mode} ${type} ${id} ${size ?? "-"}\t${path}\0`;

function parseRow(text: string): ListedRow | null {
  const found = /^(\d+) (blob|tree|commit) ([0-9a-f]{40}) (\d+|-)\t(.+)$/s.exec(text);
  if (found === null) return null;
  const [, mode = "", type, id = "", size = "", path = ""] = found;
  return { path, mode, type: type as ListedRow["type"], id, size: size === "-" ? null : Number(size) };
}

/** Rows of a stored text, until one that is none: then `damaged` is set. */
function* storedRows(text: string, state: { damaged: boolean }): Generator<ListedRow> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\0", at);
    const row = end === -1 ? null : parseRow(text.slice(at, end));
    if (row === null) {
      state.damaged = true;
      return;
    }
    yield row;
    at = end + 1;
  }
}

function decodeTrees(key: string, root: ObjectId, bytes: Uint8Array, recursive: boolean): Recursive | null {
  const text = unseal(key, bytes);
  if (text === null) return null;
  if (text === CUT) return CUT;
  const state = { damaged: false };
  const trees = treesOf(root, storedRows(text, state), recursive);
  return state.damaged || "damaged" in trees ? null : trees;
}

/** Texts of rows, some hundreds at a time. */
function* rowTexts(rows: Iterable<ListedRow>): Generator<string> {
  let text = "";
  for (const row of rows) {
    text += rowText(row);
    if (text.length > 65_536) {
      yield text;
      text = "";
    }
  }
  yield text;
}

const weighTrees = (trees: Recursive): number => {
  if (trees === CUT) return 0;
  let bytes = 0;
  for (const tree of trees.values()) {
    bytes += 250;
    for (const item of tree.items) bytes += 160 + item.name.length * 2;
  }
  return bytes;
};

const recursiveForm = (root: ObjectId): Form<Recursive> => ({
  decode: (key, bytes) => decodeTrees(key, root, bytes, true),
  encode: (key, trees) => (trees === CUT ? seal(key, CUT) : sealPieces(key, rowTexts(rowsOf(root, trees)))),
  weigh: weighTrees,
});

const levelForm = (id: ObjectId): Form<ListedTree> => ({
  decode: (key, bytes) => {
    const trees = decodeTrees(key, id, bytes, false);
    return trees === null || trees === CUT ? null : (trees.get(id) ?? null);
  },
  encode: (key, tree) => sealPieces(key, rowTexts(rowsOf(id, new Map([[id, tree]])))),
  weigh: (tree) => weighTrees(new Map([[tree.id, tree]])),
});

/** `unprocessable`: GitHub refused to recurse, as it once did for trees with submodules. */
type Asked = Recursive | "unprocessable";

const ask = (repository: Repository, id: ObjectId, recursive: boolean): Promise<Asked> =>
  repeatIfDamaged(async () => {
    const what = "a tree";
    const path = `/git/trees/${id}${recursive ? "?recursive=1" : ""}`;
    const answer = await repository.get({ path, what });
    if (answer.status === 422) return "unprocessable";
    if (answer.status === 404) await repository.confirm();
    if (answer.status !== 200) throw unexpected(what, `HTTP ${answer.status} for one that a commit names`);
    const { sha, truncated, rows } = readTreeAnswer(answer, what);
    if (sha !== id) throw unexpected(what, "it is another tree than asked for");
    if (truncated) return CUT;
    const trees = treesOf(id, rows, recursive);
    if ("damaged" in trees) throw corrupt(what, trees.damaged);
    return trees;
  });

const recursiveKey = (repository: Repository, root: ObjectId): Key<Recursive> =>
  objectKey(repository.keys, "tree", root);

/** All trees below a root in one request, or `cut`. */
export async function readRecursive(repository: Repository, root: ObjectId): Promise<Recursive> {
  if (emptyTrees.has(root)) return emptyTrees;
  const { tiers } = repository;
  const key = recursiveKey(repository, root);
  const trees = await readThrough(tiers, key, recursiveForm(root), async () => {
    const answer = await ask(repository, root, true);
    if (answer !== "unprocessable") return answer;
    // A fault of the host's that will pass: remembered here, not in the store.
    tiers.memory.set(key, CUT, 0);
    return null;
  });
  return trees ?? CUT;
}

/** The same where it is known without asking; null when it is not. */
export async function knownRecursive(repository: Repository, root: ObjectId): Promise<Recursive | null> {
  if (emptyTrees.has(root)) return emptyTrees;
  return readKnown(repository.tiers, recursiveKey(repository, root), recursiveForm(root));
}

/** What this isolate knows at once; undefined for nothing. */
export const recursiveInMemory = (repository: Repository, root: ObjectId): Recursive | undefined =>
  repository.tiers.memory.get(recursiveKey(repository, root));

/** Keeps the trees below a root that was made here. `cut`, which is a belief only, is not stored. */
export function keepRecursive(repository: Repository, root: ObjectId, trees: Recursive): void {
  const { tiers } = repository;
  const key = recursiveKey(repository, root);
  if (trees === CUT) tiers.memory.set(key, CUT, 0);
  else keep(tiers, key, recursiveForm(root), trees);
}

const levelKey = (repository: Repository, id: ObjectId): Key<ListedTree> =>
  objectKey(repository.keys, "level", id);

export const levelInMemory = (repository: Repository, id: ObjectId): ListedTree | undefined =>
  emptyTrees.get(id) ?? repository.tiers.memory.get(levelKey(repository, id));

/** Keeps one tree that was made here. */
export const keepLevel = (repository: Repository, tree: ListedTree): void =>
  keep(repository.tiers, levelKey(repository, tree.id), levelForm(tree.id), tree);

/** One tree without those below it. */
export async function readLevel(repository: Repository, id: ObjectId): Promise<ListedTree> {
  const known = emptyTrees.get(id);
  if (known !== undefined) return known;
  const level = await readThrough(repository.tiers, levelKey(repository, id), levelForm(id), async () => {
    const answer = await ask(repository, id, false);
    if (answer === CUT || answer === "unprocessable") throw unexpected("a tree", "a single tree is cut");
    return answer.get(id) ?? null;
  });
  if (level === null) throw unexpected("a tree", "there is no such tree");
  return level;
}
