/**
 * Tips of registered refs: one conditional request each, no older than the configured bound and than the last news of the ref.
 * Known in memory, behind it by all isolates together (`facts`). The answer brings the tip's commit along (see
 * docs/decisions/0002). When GitHub fails and an older tip is known, that one is used and says so (`stale`); a ref that is gone
 * is never covered up, nor that a public repository can no longer be read: it may have turned private.
 * Whoever commits asks with `tipNow`, past all of that, and tells with `tipMoved` where a branch stands since.
 */
import * as z from "zod";
import { headKey, type Key } from "../cache/keys.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { asGitpinError, type GitpinError } from "../errors.ts";
import type { Head } from "../ports/repository-reader.ts";
import { tipAnswer } from "./answers.ts";
import { keepCommit } from "./commits.ts";
import { repositoryEmpty, unexpected } from "./failure.ts";
import { askedRef, DEFAULT_REF, fullNames, refMissing, registeredRefs } from "./refs.ts";
import { getJson, type Repository } from "./repository.ts";

const knownHead = z.object({
  /** Full name, or `HEAD`. */
  ref: z.string(),
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  etag: z.string().nullable(),
  /** The repository's name as the host spelt it in this answer. */
  fullName: z.string().nullable(),
  /** When GitHub was last asked for it, milliseconds since the Unix epoch. */
  askedAt: z.number(),
});

type KnownHead = z.infer<typeof knownHead>;

const BYTES = 300;
/** Clocks of isolates differ a little, and so do GitHub's replicas: news void what was asked for shortly after them, too. */
const NEWS_MARGIN_MS = 1000;

/** The truth about a ref or repository, not a failure to ask: never hidden behind an older tip. */
const TRUTHS: readonly string[] = ["ref_missing", "repository_empty"];
/** The repository cannot be read. */
const CLOSED: readonly string[] = ["repository_unavailable", "repository_deleted", "repository_no_access"];

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
    tipAnswer,
  );
  switch (answer.status) {
    case 200:
      keepCommit(repository, answer.data.commit);
      return {
        ref: full,
        sha: answer.data.commit.sha,
        etag: answer.etag,
        fullName: answer.data.fullName,
        askedAt: now,
      };
    case 304:
      if (same === undefined) throw unexpected(what, "HTTP 304 to a plain request");
      return { ...same, askedAt: now };
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
  checkedAt: new Date(known.askedAt).toISOString(),
  stale: failure === null ? null : { code: failure.code, reason: failure.message },
});

async function recalled({ shared }: Repository, key: Key<KnownHead>): Promise<KnownHead | undefined> {
  const text = await shared.recall(key);
  return text === null ? undefined : knownHead.safeParse(JSON.parse(text)).data;
}

function know({ tiers, shared }: Repository, key: Key<KnownHead>, head: KnownHead): void {
  tiers.memory.set(key, head, BYTES);
  shared.remember(key, JSON.stringify(head));
}

const newer = (near: KnownHead | undefined, far: KnownHead | undefined): KnownHead | undefined =>
  near === undefined || (far !== undefined && far.askedAt > near.askedAt) ? far : near;

/** The repository's name as the last answer about a tip spelt it, and when that was; null when none is in memory. */
export function nameToldWith(
  repository: Repository,
  name: string,
): { fullName: string; askedAt: number } | null {
  const known = repository.tiers.memory.get(keyOf(repository, name));
  return known?.fullName ? { fullName: known.fullName, askedAt: known.askedAt } : null;
}

/** The tip of a registered ref. `name` as the registry writes it. */
export async function readHead(repository: Repository, name: string, maxAgeMs: number): Promise<Head> {
  const { tiers, clock, news, entry } = repository;
  const key = keyOf(repository, name);
  const changedAt = news.tipChangedAt(repository.id, fullNames(name)) + NEWS_MARGIN_MS;
  const holds = (head: KnownHead | undefined): head is KnownHead =>
    head !== undefined && clock.now() - head.askedAt < maxAgeMs && head.askedAt > changedAt;
  const near = tiers.memory.get(key);
  if (holds(near)) {
    tiers.ledger.cacheHits += 1;
    return toHead(near, null);
  }
  try {
    const fresh = await tiers.flights.run(key, tiers.background, async () => {
      const known = newer(near, await recalled(repository, key));
      if (holds(known)) {
        tiers.memory.set(key, known, BYTES);
        return known;
      }
      const head = await refresh(repository, name, known);
      // Somebody here may have moved it while this was asked.
      const held = tiers.memory.get(key);
      if (held !== undefined && held.askedAt > head.askedAt) return held;
      know(repository, key, head);
      return head;
    });
    return toHead(fresh, null);
  } catch (error) {
    const failure = asGitpinError(error);
    if (failure.form.fault !== "upstream" || TRUTHS.includes(failure.code)) throw failure;
    const older = newer(near, await recalled(repository, key));
    const closed = entry.visibility === "public" && CLOSED.includes(failure.code);
    if (older === undefined || closed) throw failure;
    return toHead(older, failure);
  }
}

/** Registered names that stand for a branch. `HEAD` does where the branch is known to be the default one. */
const namesOf = ({ entry }: Repository, full: string, defaultBranch: string | null): string[] => [
  ...registeredRefs(entry).filter((name) =>
    name === DEFAULT_REF ? full === `refs/heads/${defaultBranch}` : fullNames(name)[0] === full,
  ),
  full,
];

/** `known`: the default branch as the host told last. `current`: no longer ago than a tip may be old. */
export interface DefaultBranch {
  known: string | null;
  current: boolean;
}

/** Where a branch stands, asked of the host by this very call; null when there is none. Throws `repository_empty`. */
export async function tipNow(
  repository: Repository,
  branch: string,
  { known: defaultBranch, current }: DefaultBranch,
): Promise<ObjectId | null> {
  const full = `refs/heads/${branch}`;
  const { memory } = repository.tiers;
  const keys = [...new Set(namesOf(repository, full, defaultBranch))].map((name) => keyOf(repository, name));
  const near = keys.map((key) => memory.get(key)).filter((head) => head?.ref === full);
  const known = near.reduce(newer, undefined) ?? (await recalled(repository, keyOf(repository, full)));
  const head = await ask(repository, full, known);
  if (head === null) return null;
  const defaultKey = keyOf(repository, DEFAULT_REF);
  for (const key of keys) {
    if (key !== defaultKey) know(repository, key, head);
    else if (current) know(repository, key, { ...head, ref: DEFAULT_REF, etag: null });
  }
  return head.sha;
}

/**
 * Where a branch stands since this moment, because we moved it: known at once under every registered name of it. Where it may or may
 * not be the default branch, `HEAD` is asked for next time.
 */
export function tipMoved(
  repository: Repository,
  branch: string,
  sha: ObjectId,
  defaultBranch: string | null,
): void {
  const full = `refs/heads/${branch}`;
  const askedAt = repository.clock.now();
  for (const name of new Set(namesOf(repository, full, defaultBranch))) {
    const key = keyOf(repository, name);
    const fullName = repository.tiers.memory.get(key)?.fullName ?? null;
    const ref = name === DEFAULT_REF ? DEFAULT_REF : full;
    know(repository, key, { ref, sha, etag: null, fullName, askedAt });
  }
  const head = keyOf(repository, DEFAULT_REF);
  const held = repository.tiers.memory.get(head);
  if (defaultBranch === null && held !== undefined) know(repository, head, { ...held, askedAt: 0 });
}
