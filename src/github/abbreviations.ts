/**
 * Abbreviated commit ids, resolved as object ids only. GitHub prefers a branch of that name over the commit, so an answer
 * counts only if its id starts with the digits. Follows the evidence contract, "Reachability".
 */
import { abbreviationKey, type Key } from "../cache/keys.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { GitpinError } from "../errors.ts";
import { commitAnswer } from "./answers.ts";
import { keepCommit } from "./commits.ts";
import { getJson, type Repository } from "./repository.ts";

/** New commits can make an abbreviation ambiguous, so it is not remembered for long. */
const AGE_MS = 300_000;

interface KnownAbbreviation {
  sha: ObjectId;
  /** Milliseconds since the Unix epoch. */
  askedAt: number;
}

const notResolved = (digits: string): GitpinError =>
  new GitpinError(
    "sha_not_resolved",
    `GitHub does not resolve ${digits} to one commit of this repository.`,
    "Give all 40 digits of the commit id.",
    { sha: digits },
  );

/** `digits`: 7 to 39 lower-case hex digits. Throws `sha_not_resolved`. */
export async function resolveAbbreviation(repository: Repository, digits: string): Promise<ObjectId> {
  const { tiers, clock } = repository;
  const key: Key<KnownAbbreviation> = abbreviationKey(repository.keys, digits);
  const known = tiers.memory.get(key);
  if (known !== undefined && clock.now() - known.askedAt < AGE_MS) {
    tiers.ledger.cacheHits += 1;
    return known.sha;
  }
  const found = await tiers.flights.run(key, tiers.background, async () => {
    const askedAt = clock.now();
    const path = `/commits/${encodeURIComponent(digits)}?per_page=1`;
    const answer = await getJson(repository, { path, what: "an abbreviated commit id" }, commitAnswer);
    if (answer.status === 404) await repository.confirm();
    if (answer.status !== 200 || !answer.data.sha.startsWith(digits)) throw notResolved(digits);
    keepCommit(repository, answer.data);
    const resolved = { sha: answer.data.sha, askedAt };
    tiers.memory.set(key, resolved, 100);
    return resolved;
  });
  return found.sha;
}
