/**
 * Whether a commit is the tip of a branch that the registry opens to changes: one request, whose answer counts for a moment, so that
 * asking again and again for what no branch holds costs no more. Only names that a caller may read are looked at.
 */
import * as z from "zod";
import { type Key, openTipKey } from "../cache/keys.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { mayWriteBranch } from "../core/policy/writable.ts";
import { unexpected } from "./failure.ts";
import { getJson, type Repository } from "./repository.ts";

const branchesAnswer = z.array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }) }));

interface Known {
  /** Names of the branches that stood at the commit. */
  names: string[];
  /** Milliseconds since the Unix epoch. */
  askedAt: number;
}

async function ask(repository: Repository, sha: ObjectId): Promise<string[]> {
  const what = "the branches that stand at a commit";
  const answer = await getJson(
    repository,
    { path: `/commits/${sha}/branches-where-head`, what },
    branchesAnswer,
  );
  switch (answer.status) {
    case 200:
      return answer.data.filter(({ commit }) => commit.sha === sha).map(({ name }) => name);
    case 404:
      // A host that does not know the route cannot tell; that is no reason to fail where "no" was the answer without it.
      await repository.confirm();
      return [];
    case 409:
    case 422:
      return [];
    default:
      throw unexpected(what, `HTTP ${answer.status}`);
  }
}

/** `maxAgeMs`: how old an answer may be. */
export async function isOpenTip(repository: Repository, sha: ObjectId, maxAgeMs: number): Promise<boolean> {
  const { entry, tiers, clock, keys, credential } = repository;
  if (entry.writable === false || entry.writable.branches.length === 0) return false;
  const key: Key<Known> = openTipKey(keys, sha, credential);
  const near = tiers.memory.get(key);
  const holds = near !== undefined && clock.now() - near.askedAt < maxAgeMs;
  const { names } = holds
    ? near
    : await tiers.flights.run(key, tiers.background, async () => {
        const known = { askedAt: clock.now(), names: await ask(repository, sha) };
        tiers.memory.set(key, known, 100 + known.names.reduce((sum, name) => sum + name.length * 2, 0));
        return known;
      });
  return names.some((name) => mayWriteBranch(entry, name).allowed);
}
