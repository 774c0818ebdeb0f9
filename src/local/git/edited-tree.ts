// A tree with some paths set or taken away: only the trees on the way to them are made anew, all others stay as they are.
// Owns: what becomes of a folder (made where it lacks, gone with its last entry). Refuses: taking away what is not there.
import type { TreeEntry } from "./objects.ts";
import type { GitRepository } from "./repository.ts";

export interface TreeChange {
  /** `/`-separated, already checked. */
  path: string;
  /** Six digits. */
  mode: string;
  /** Null: the path is taken away. */
  sha: string | null;
}

/** A change cannot be made: the path to take away is not there, or it would lead through a file. */
export class ImpossibleChange extends Error {}

interface Below {
  leaf: TreeChange | undefined;
  deeper: TreeChange[];
}

/** Gives the id of the edited tree. `base` null: an empty one. Throws `ImpossibleChange`; then nothing refers to anything. */
export async function editTree(
  git: GitRepository,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string> {
  return (await edited(git, base, changes, "")) ?? (await git.writer.tree([]));
}

/** Null: nothing is left. */
async function edited(
  git: GitRepository,
  base: string | null,
  changes: readonly TreeChange[],
  folder: string,
): Promise<string | null> {
  const old = base === null ? [] : await git.tree(base);
  if (old === null) throw new Error(`the tree ${base} cannot be read`);
  const entries = new Map(old.map((entry) => [entry.name.toString("latin1"), entry]));
  const made = [...byFirstSegment(changes)].map(async ([name, { leaf, deeper }]) => {
    const key = Buffer.from(name).toString("latin1");
    return { key, entry: await entryAt(git, `${folder}${name}`, entries.get(key), leaf, deeper) };
  });
  for (const { key, entry } of await Promise.all(made)) {
    if (entry === null) entries.delete(key);
    else entries.set(key, { ...entry, name: Buffer.from(key, "latin1") });
  }
  return entries.size === 0 ? null : await git.writer.tree([...entries.values()]);
}

/** What stands at one name afterwards; null for nothing. */
async function entryAt(
  git: GitRepository,
  path: string,
  old: TreeEntry | undefined,
  leaf: TreeChange | undefined,
  deeper: readonly TreeChange[],
): Promise<Omit<TreeEntry, "name"> | null> {
  let now = old === undefined ? null : { mode: old.mode, sha: old.sha };
  if (leaf !== undefined) {
    if (leaf.sha === null && now === null) throw new ImpossibleChange(path);
    now = leaf.sha === null ? null : { mode: leaf.mode, sha: leaf.sha };
  }
  if (deeper.length === 0) return now;
  if (now !== null && now.mode !== "040000" && leaf?.sha) throw new ImpossibleChange(path);
  const below = now?.mode === "040000" ? now.sha : null;
  const sha = await edited(git, below, deeper, `${path}/`);
  return sha === null ? null : { mode: "040000", sha };
}

/** Of several changes to one path, the last counts. */
function byFirstSegment(changes: readonly TreeChange[]): Map<string, Below> {
  const found = new Map<string, Below>();
  for (const change of changes) {
    const slash = change.path.indexOf("/");
    const name = slash < 0 ? change.path : change.path.slice(0, slash);
    const below: Below = found.get(name) ?? { leaf: undefined, deeper: [] };
    if (slash < 0) below.leaf = change;
    else below.deeper.push({ ...change, path: change.path.slice(slash + 1) });
    found.set(name, below);
  }
  return found;
}
