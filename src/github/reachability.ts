/**
 * Whether a commit is an ancestor of, or equal to, the tip of a registered ref. Follows the evidence contract, "Reachability":
 * kept for ever once true, under the set of refs it was true for, so that a ref taken out of the registry stops counting. What
 * was seen as the tip of a branch that the registry opens to changes (committed there by us, read by that name, or found there when no
 * registered ref leads to it) counts as well, as long as the same branches are open: by that name everybody reads it who reads the entry.
 * A question that GitHub did not answer is null, never false.
 */
import { type Key, reachableKey } from "../cache/keys.ts";
import { seal, unseal } from "../cache/sealed.ts";
import { type Form, keep, readKnown } from "../cache/tiered.ts";
import { sha256 } from "../core/git/hash.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { asGitpinError } from "../errors.ts";
import type { Head } from "../ports/repository-reader.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { isOpenTip } from "./open-tip.ts";
import { fullNames, registeredRefs } from "./refs.ts";
import { readRelation } from "./relation.ts";
import type { Repository } from "./repository.ts";

const YES = "reachable";

const reachableForm: Form<true> = {
  decode: (key, bytes) => (unseal(key, bytes) === YES ? true : null),
  encode: (key) => seal(key, YES),
  weigh: () => 8,
};

async function isAncestor(repository: Repository, sha: ObjectId, tip: ObjectId): Promise<boolean> {
  const relation = await readRelation(repository, sha, tip);
  return relation !== null && relation.behind === 0;
}

// An entry is parsed once and asked for on every call.
const digests = new WeakMap<RepositoryEntry, string>();

/** Names a set of refs, and which branches are open, in keys. */
function refsDigest(entry: RepositoryEntry): string {
  const { writable } = entry;
  const open = writable === false ? [] : writable.branches.map((glob) => ` ${glob}`);
  const digest =
    digests.get(entry) ?? sha256([...registeredRefs(entry).flatMap(fullNames), ...open].sort().join("\n"));
  digests.set(entry, digest);
  return digest;
}

/** A commit that was just put on a branch that is open to changes. */
export function keepCommitted(repository: Repository, sha: ObjectId): void {
  const key: Key<true> = reachableKey(repository.keys, sha, refsDigest(repository.entry));
  keep(repository.tiers, key, reachableForm, true);
}

/** The tip of a branch that is open to changes. Every isolate meets the same ones, and writes to the store cost more than reads. */
export function keepOpenTip(repository: Repository, sha: ObjectId): void {
  const { memory, store, background } = repository.tiers;
  const key: Key<true> = reachableKey(repository.keys, sha, refsDigest(repository.entry));
  if (memory.get(key) !== undefined) return;
  memory.set(key, true, reachableForm.weigh(true));
  const putIfAbsent = async (): Promise<void> => {
    if ((await store.get(key)) === null) store.put(key, reachableForm.encode(key, true));
  };
  background.keepAlive(Promise.allSettled([putIfAbsent()]));
}

/** Tips of registered names. */
export interface Tips {
  /** As old as HEAD may be. */
  head(name: string): Promise<Head>;
  /** No older than a moment, where the one that `head` gave is. */
  freshHead(name: string): Promise<Head>;
  /** How old "a moment" is. */
  freshMs: number;
}

export async function isReachable(
  repository: Repository,
  sha: ObjectId,
  tips: Tips,
): Promise<boolean | null> {
  const names = registeredRefs(repository.entry);
  const refs = refsDigest(repository.entry);
  const key: Key<true> = reachableKey(repository.keys, sha, refs);
  if ((await readKnown(repository.tiers, key, reachableForm)) === true) return true;
  let unknown = false;
  for (const name of names) {
    try {
      const head = await tips.head(name);
      // An older tip proves ancestry, but not its absence: the commit may have been pushed since.
      const newest = (await isAncestor(repository, sha, head.sha)) ? null : await tips.freshHead(name);
      if (newest === null || (newest.sha !== head.sha && (await isAncestor(repository, sha, newest.sha)))) {
        keep(repository.tiers, key, reachableForm, true);
        return true;
      }
      if (newest.stale !== null) unknown = true;
    } catch (error) {
      const failure = asGitpinError(error);
      if (failure.form.fault !== "upstream") throw failure;
      if (failure.code !== "ref_missing" && failure.code !== "repository_empty") unknown = true;
    }
  }
  if (unknown) return null;
  try {
    if (!(await isOpenTip(repository, sha, tips.freshMs))) return false;
    keepOpenTip(repository, sha);
    return true;
  } catch (error) {
    const failure = asGitpinError(error);
    if (failure.form.fault !== "upstream") throw failure;
    return null;
  }
}
