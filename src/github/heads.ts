/**
 * Tips of registered refs: one conditional request each, no older than the configured bound.
 * The answer brings the tip's commit along (see docs/decisions/0002). When GitHub fails and an older tip is known, that one is
 * used and says so (`stale`, lost access included); a ref that is gone is never covered up.
 */
import { headKey, type Key, type KeySpace } from "../cache/keys.ts";
import type { MemoryTier } from "../cache/memory-tier.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { asGitpinError, type GitpinError } from "../errors.ts";
import type { Head } from "../ports/repository-reader.ts";
import { commitAnswer } from "./answers.ts";
import { keepCommit } from "./commits.ts";
import { repositoryEmpty, unexpected } from "./failure.ts";
import { askedRef, fullNames, refMissing } from "./refs.ts";
import { getJson, type Repository } from "./repository.ts";

interface KnownHead {
  /** Full name, or `HEAD`. */
  ref: string;
  sha: ObjectId;
  etag: string | null;
  /** When it was last asked for, milliseconds since the Unix epoch; `EXPIRED` after an invalidation. */
  askedAt: number;
  /** When GitHub last confirmed it; stays through an invalidation. */
  confirmedAt: number;
}

const EXPIRED = Number.NEGATIVE_INFINITY;
const BYTES = 300;

/** The truth about a ref or repository, not a failure to ask: never hidden behind an older tip. */
const TRUTHS: readonly string[] = ["ref_missing", "repository_empty"];

const keyOf = ({ keys, credential }: Pick<Repository, "keys" | "credential">, name: string): Key<KnownHead> =>
  headKey(keys, name, credential);

/** Null: no such ref. */
async function ask(
  repository: Repository,
  full: string,
  known: KnownHead | undefined,
): Promise<KnownHead | null> {
  const what = "the tip of a ref";
  const same = known?.ref === full ? known : undefined;
  const now = repository.clock.now();
  const answer = await getJson(
    repository,
    { path: `/commits/${askedRef(full)}?per_page=1`, what, etag: same?.etag ?? null },
    commitAnswer,
  );
  switch (answer.status) {
    case 200:
      keepCommit(repository, answer.data);
      return { ref: full, sha: answer.data.sha, etag: answer.etag, askedAt: now, confirmedAt: now };
    case 304:
      if (same === undefined) throw unexpected(what, "HTTP 304 to a plain request");
      return { ...same, askedAt: now, confirmedAt: now };
    case 409:
      throw repositoryEmpty(repository.entry.name);
    case 404:
      await repository.confirm();
      return null;
    case 422:
      return null;
  }
}

async function refresh(
  repository: Repository,
  name: string,
  known: KnownHead | undefined,
): Promise<KnownHead> {
  for (const full of fullNames(name)) {
    const head = await ask(repository, full, known);
    if (head !== null) return head;
  }
  throw refMissing(repository.entry, name);
}

const toHead = (known: KnownHead, failure: GitpinError | null): Head => ({
  ref: known.ref,
  sha: known.sha,
  checkedAt: new Date(known.confirmedAt).toISOString(),
  stale: failure === null ? null : { code: failure.code, reason: failure.message },
});

/** The tip of a registered ref. `name` as the registry writes it. */
export async function readHead(repository: Repository, name: string, maxAgeMs: number): Promise<Head> {
  const { tiers, clock } = repository;
  const key = keyOf(repository, name);
  const known = tiers.memory.get(key);
  if (known !== undefined && clock.now() - known.askedAt < maxAgeMs) {
    tiers.ledger.cacheHits += 1;
    return toHead(known, null);
  }
  try {
    const fresh = await tiers.flights.run(key, tiers.background, async () => {
      const head = await refresh(repository, name, known);
      // Expired while it was asked for: the answer may be older than the news.
      const overtaken = tiers.memory.get(key) !== known;
      tiers.memory.set(key, overtaken ? { ...head, askedAt: EXPIRED } : head, BYTES);
      return head;
    });
    return toHead(fresh, null);
  } catch (error) {
    const failure = asGitpinError(error);
    if (known === undefined || failure.form.fault !== "upstream" || TRUTHS.includes(failure.code))
      throw failure;
    return toHead(known, failure);
  }
}

/** Makes the next read of a tip ask GitHub, conditionally. For webhooks: their content is not trusted, only their news. */
export function expireHead(memory: MemoryTier, keys: KeySpace, credential: string, name: string): void {
  const key = keyOf({ keys, credential }, name);
  const known = memory.get(key);
  if (known !== undefined) memory.set(key, { ...known, askedAt: EXPIRED }, BYTES);
}
