// The last few diffs of each repository. A diff between two ids never changes, and a tip is asked for again and again.
// Owns: how many are kept. Refuses to keep a failure.
import { changedFiles, type FileChange, patches } from "./diff.ts";
import type { GitRepository } from "./repository.ts";

export interface Diff {
  changes: FileChange[];
  /** Of the first `shown` files; null where GitHub shows none. */
  texts: (string | null)[];
}

const KEPT = 16;
const recent = new WeakMap<GitRepository, Map<string, Promise<Diff>>>();

/** All changed files between two trees or commits, and the patches of those from 0 to `shown`. */
export function diffOf(git: GitRepository, from: string, to: string, shown: number): Promise<Diff> {
  const known = recent.get(git) ?? new Map<string, Promise<Diff>>();
  recent.set(git, known);
  const key = `${from} ${to} ${shown}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = (async () => {
    const changes = await changedFiles(git, from, to);
    return { changes, texts: await patches(git, from, to, changes.slice(0, shown)) };
  })();
  known.set(key, made);
  made.catch(() => known.delete(key));
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break;
    known.delete(oldest);
  }
  return made;
}
