/**
 * Who a registered repository is: GitHub's numeric id, whatever its name does.
 * With an id in the registry nothing is asked to reach it; a name is looked up once an hour and re-checked conditionally.
 * Follows the design's rule that a name given to someone else is never served under the old identity.
 */
import { identityKey, type Key } from "../cache/keys.ts";
import type { MemoryTier } from "../cache/memory-tier.ts";
import type { SingleFlight } from "../cache/single-flight.ts";
import { asGitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { RepositoryIdentity } from "../ports/repository-reader.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { repositoryAnswer } from "./answers.ts";
import { type Asking, addressOf } from "./asking.ts";
import type { Client } from "./client.ts";
import { repositoryUnavailable, unexpected } from "./failure.ts";
import { getJson } from "./repository.ts";

const IDENTITY_AGE_MS = 3_600_000;
/** How long "the repository can be read" holds, when a 404 of something in it is to be understood. */
const CONFIRMATION_AGE_MS = 60_000;

interface KnownIdentity {
  identity: RepositoryIdentity;
  etag: string | null;
  /** Milliseconds since the Unix epoch. */
  checkedAt: number;
}

export interface IdentityScope {
  client: Client;
  memory: MemoryTier;
  flights: SingleFlight;
  clock: Clock;
  apiHost: string;
  credential: string;
}

const keyOf = (scope: IdentityScope, entry: RepositoryEntry): Key<KnownIdentity> =>
  identityKey(scope.apiHost, addressOf(entry).toLowerCase(), scope.credential);

/** What is known without asking; null when nothing is, or when it is over an hour old. */
export function knownIdentity(scope: IdentityScope, entry: RepositoryEntry): RepositoryIdentity | null {
  const known = scope.memory.get(keyOf(scope, entry));
  if (known === undefined || scope.clock.now() - known.checkedAt >= IDENTITY_AGE_MS) return null;
  return known.identity;
}

/** The id, however long ago it was asked for; null when it was not. */
export const rememberedId = (scope: IdentityScope, entry: RepositoryEntry): number | null =>
  entry.id ?? scope.memory.get(keyOf(scope, entry))?.identity.id ?? null;

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
  if (answer.status === 404) throw repositoryUnavailable(entry.name);
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
  return { identity, etag, checkedAt };
}

/** The identity, no older than `maxAgeMs`; an older one only while GitHub itself fails. */
async function identityWithin(
  scope: IdentityScope,
  asking: Asking,
  maxAgeMs: number,
): Promise<KnownIdentity> {
  const { memory, flights, clock } = scope;
  const key = keyOf(scope, asking.entry);
  const known = memory.get(key);
  if (known !== undefined && clock.now() - known.checkedAt < maxAgeMs) return known;
  return flights.run(key, asking.background, async () => {
    try {
      const fresh = await ask(scope, asking, known);
      memory.set(key, fresh, 1000);
      return fresh;
    } catch (error) {
      if (!asGitpinError(error).form.retry) memory.delete(key);
      throw error;
    }
  });
}

/**
 * Who the repository is. When GitHub fails and an older answer is known, that one: the id of a repository never changes,
 * and a name that moved is found at the next re-check.
 */
export async function identityOf(scope: IdentityScope, asking: Asking): Promise<RepositoryIdentity> {
  const known = scope.memory.get(keyOf(scope, asking.entry));
  try {
    return (await identityWithin(scope, asking, IDENTITY_AGE_MS)).identity;
  } catch (error) {
    if (known === undefined || !asGitpinError(error).form.retry) throw error;
    return known.identity;
  }
}

/** Throws unless the repository was readable within the last minute. */
export async function confirmReadable(scope: IdentityScope, asking: Asking): Promise<void> {
  await identityWithin(scope, asking, CONFIRMATION_AGE_MS);
}
