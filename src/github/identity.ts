/**
 * Who a registered repository is: GitHub's numeric id, whatever its name does.
 * With an id in the registry nothing is asked to reach it; a name is looked up once an hour, or after news of the repository, and
 * re-checked conditionally. Known in memory, behind it by all isolates together.
 * Follows the design's rule that a name given to someone else is never served under the old identity.
 */
import * as z from "zod";
import { identityKey, type Key } from "../cache/keys.ts";
import type { MemoryTier } from "../cache/memory-tier.ts";
import type { SingleFlight } from "../cache/single-flight.ts";
import { asGitpinError, type GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { RepositoryIdentity } from "../ports/repository-reader.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { repositoryAnswer } from "./answers.ts";
import { type Asking, addressOf } from "./asking.ts";
import type { Client } from "./client.ts";
import { repositoryDeleted, repositoryNoAccess, repositoryUnavailable, unexpected } from "./failure.ts";
import { NEVER, type News } from "./news/news.ts";
import { getJson, type Shared } from "./repository.ts";

const IDENTITY_AGE_MS = 3_600_000;
/** How long "the repository can be read" holds, when a 404 of something in it is to be understood. */
const CONFIRMATION_AGE_MS = 60_000;

const knownForm = z.object({
  identity: z.object({
    id: z.number(),
    fullName: z.string(),
    defaultBranch: z.string(),
    visibility: z.enum(["public", "private", "internal"]),
    archived: z.boolean(),
    webUrl: z.string(),
  }),
  /** What GraphQL knows it by; null where the host told none. */
  nodeId: z.string().nullable(),
  etag: z.string().nullable(),
  /** Milliseconds since the Unix epoch. */
  checkedAt: z.number(),
});

type KnownIdentity = z.infer<typeof knownForm>;

/** As for tips: clocks differ a little, and GitHub's replicas may be a moment behind its news. */
const NEWS_MARGIN_MS = 1000;

export interface IdentityScope {
  client: Client;
  memory: MemoryTier;
  flights: SingleFlight;
  clock: Clock;
  apiHost: string;
  credential: string;
  news: News;
  shared(asking: Asking): Shared;
}

const keyOf = (scope: IdentityScope, entry: RepositoryEntry): Key<KnownIdentity> =>
  identityKey(scope.apiHost, addressOf(entry).toLowerCase(), scope.credential);

/** Whether news of the repository came after all that is known of it: then it is worth a question. */
export function isNews(scope: IdentityScope, entry: RepositoryEntry): boolean {
  const known = scope.memory.get(keyOf(scope, entry));
  const told = scope.news.repositoryChangedAt(entry);
  return told !== NEVER && (known === undefined || !holds(scope, entry, known, IDENTITY_AGE_MS));
}

/** When the known identity was last confirmed. */
export const identityCheckedAt = (scope: IdentityScope, entry: RepositoryEntry): number =>
  scope.memory.get(keyOf(scope, entry))?.checkedAt ?? NEVER;

/** What is known without asking; null when nothing is, or when it is over an hour old. */
export function knownIdentity(scope: IdentityScope, entry: RepositoryEntry): RepositoryIdentity | null {
  const known = scope.memory.get(keyOf(scope, entry));
  return known !== undefined && holds(scope, entry, known, IDENTITY_AGE_MS) ? known.identity : null;
}

/** What was learned last, however old. `current`: within the hour, and after all news of it. */
export function lastIdentity(
  scope: IdentityScope,
  entry: RepositoryEntry,
): { identity: RepositoryIdentity; current: boolean } | null {
  const known = scope.memory.get(keyOf(scope, entry));
  return known === undefined
    ? null
    : { identity: known.identity, current: holds(scope, entry, known, IDENTITY_AGE_MS) };
}

function holds(
  { clock, news }: IdentityScope,
  entry: RepositoryEntry,
  known: KnownIdentity,
  maxAgeMs: number,
): boolean {
  const named = { ...entry, id: known.identity.id };
  const changedAt = Math.max(news.repositoryChangedAt(entry), news.repositoryChangedAt(named));
  // Another isolate's clock may be ahead: an age of zero holds for nobody.
  if (maxAgeMs === 0) return false;
  return clock.now() - known.checkedAt < maxAgeMs && known.checkedAt > changedAt + NEWS_MARGIN_MS;
}

/** A 404, in the light of what GitHub told before. */
function notThere(
  { news }: IdentityScope,
  entry: RepositoryEntry,
  known: KnownIdentity | undefined,
): GitpinError {
  // By name nobody may have told of it: the event of its last rename can have been lost.
  const gone =
    news.gone(entry) ?? (known === undefined ? null : news.gone({ ...entry, id: known.identity.id }));
  if (gone === "deleted") return repositoryDeleted(entry.name);
  return gone === "no_access" ? repositoryNoAccess(entry.name) : repositoryUnavailable(entry.name);
}

async function ask(
  scope: IdentityScope,
  asking: Asking,
  known: KnownIdentity | undefined,
): Promise<KnownIdentity> {
  const { entry } = asking;
  const { client, clock } = scope;
  const what = "the repository";
  const checkedAt = clock.now();
  const answer = await getJson(
    { get: (request) => client.get(request, asking) },
    { path: addressOf(entry), what, etag: known?.etag ?? null },
    repositoryAnswer,
  );
  if (answer.status === 304) {
    if (known === undefined) throw unexpected(what, "HTTP 304 to a plain request");
    return { ...known, checkedAt };
  }
  if (answer.status === 404) throw notThere(scope, entry, known);
  if (answer.status !== 200) throw unexpected(what, `HTTP ${answer.status}`);
  const { data, etag } = answer;
  if (entry.id !== undefined && data.id !== entry.id)
    throw unexpected(what, "it has another id than asked for");
  const identity: RepositoryIdentity = {
    id: data.id,
    fullName: data.full_name,
    defaultBranch: data.default_branch,
    visibility: data.visibility ?? (data.private ? "private" : "public"),
    archived: data.archived,
    webUrl: data.html_url.replace(/\/+$/, ""),
  };
  return { identity, nodeId: data.node_id ?? null, etag, checkedAt };
}

/** The identity, no older than `maxAgeMs` and than the last news of the repository. */
async function identityWithin(
  scope: IdentityScope,
  asking: Asking,
  maxAgeMs: number,
): Promise<KnownIdentity> {
  const { memory, flights } = scope;
  const { entry } = asking;
  const key = keyOf(scope, entry);
  const near = memory.get(key);
  if (near !== undefined && holds(scope, entry, near, maxAgeMs)) return near;
  return flights.run(key, asking.background, async () => {
    const known = await newest(scope, asking, near);
    if (known !== undefined && holds(scope, entry, known, maxAgeMs)) return known;
    try {
      const fresh = await ask(scope, asking, known);
      memory.set(key, fresh, 1000);
      scope.shared(asking).remember(key, JSON.stringify(fresh));
      return fresh;
    } catch (error) {
      if (!asGitpinError(error).form.retry) memory.delete(key);
      throw error;
    }
  });
}

/** The newer one of what this isolate and what all together know; it becomes this isolate's. */
async function newest(
  scope: IdentityScope,
  asking: Asking,
  near: KnownIdentity | undefined,
): Promise<KnownIdentity | undefined> {
  const key = keyOf(scope, asking.entry);
  const text = await scope.shared(asking).recall(key);
  const far = text === null ? undefined : knownForm.safeParse(JSON.parse(text)).data;
  if (far === undefined || (near !== undefined && near.checkedAt >= far.checkedAt)) return near;
  scope.memory.set(key, far, 1000);
  return far;
}

/**
 * Who the repository is. When GitHub fails and an older answer is known, that one: the id of a repository never changes,
 * and a name that moved is found at the next re-check.
 */
export async function identityOf(scope: IdentityScope, asking: Asking): Promise<RepositoryIdentity> {
  try {
    return (await identityWithin(scope, asking, IDENTITY_AGE_MS)).identity;
  } catch (error) {
    const known = scope.memory.get(keyOf(scope, asking.entry));
    if (known === undefined || !asGitpinError(error).form.retry) throw error;
    return known.identity;
  }
}

/** What GraphQL knows the repository by. It never changes, so whatever is known of it, however old, will do. */
export async function nodeIdOf(scope: IdentityScope, asking: Asking): Promise<string> {
  const near = scope.memory.get(keyOf(scope, asking.entry));
  const known = near?.nodeId ? near : await newest(scope, asking, near);
  const nodeId = known?.nodeId ?? (await identityWithin(scope, asking, IDENTITY_AGE_MS)).nodeId;
  if (nodeId === null) throw unexpected("the repository", "it has no node_id");
  return nodeId;
}

/** The identity as GitHub tells it now: to a question asked after this call began, not to one that was under way. */
export async function identityNow(scope: IdentityScope, asking: Asking): Promise<RepositoryIdentity> {
  const begun = scope.clock.now();
  let known = await identityWithin(scope, asking, 0);
  // What was under way is over now, so whatever is joined next was asked later.
  if (known.checkedAt < begun) known = await identityWithin(scope, asking, 0);
  return known.identity;
}

/** Throws unless the repository was readable within the last minute. */
export async function confirmReadable(scope: IdentityScope, asking: Asking): Promise<void> {
  await identityWithin(scope, asking, CONFIRMATION_AGE_MS);
}
