/**
 * The adapter to hosted git over GitHub's REST API: one per isolate, opened once per call for one registered repository, for reading
 * or for writing.
 * Owns what outlives a call: the client, memory, work in flight. Nothing of it holds a request's I/O between calls.
 */

import { ArchiveStore } from "../cache/archive/archive-store.ts";
import type { ArchiveStorage } from "../cache/archive/storage.ts";
import { nullStore, type OpenStore } from "../cache/kv-store.ts";
import type { MemoryTier } from "../cache/memory-tier.ts";
import { SingleFlight } from "../cache/single-flight.ts";
import type { Background } from "../ports/background.ts";
import type { Clock } from "../ports/clock.ts";
import type { StreamProgress } from "../ports/commit-files.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { RepositoryIdentity, RepositoryReader } from "../ports/repository-reader.ts";
import type { RepositoryWriter } from "../ports/repository-writer.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { ArchiveQueue } from "./archive-queue.ts";
import type { Asking } from "./asking.ts";
import { type Budgets, localBudgets } from "./budget/budget.ts";
import type { Priority } from "./budget/limits.ts";
import { createClient } from "./client.ts";
import { searchCode } from "./code-search.ts";
import { type Credentials, fixedCredentials } from "./credentials/credentials.ts";
import {
  confirmReadable,
  type IdentityScope,
  identityCheckedAt,
  identityNow,
  identityOf,
  knownIdentity,
  lastIdentity,
  nodeIdOf,
} from "./identity.ts";
import { type News, noNews } from "./news/news.ts";
import { createReader } from "./reader.ts";
import { type Repository, repositoryOf, type Shared } from "./repository.ts";
import { writableRepository } from "./write/writable-repository.ts";
import { createWriteClient } from "./write/write-client.ts";
import { createWriter } from "./write/writer.ts";

export interface GitHubOptions {
  /** Base URL of the API, without a final slash. */
  apiUrl: string;
  /** A token of a person, or null; `credentials` instead of it for an App. */
  token: string | null;
  credentials?: Credentials;
  /** Who counts requests; default: this isolate for itself. */
  budgets?: Budgets;
  /** What webhooks told; default: there are none. */
  news?: News;
  fetch: typeof fetch;
  /** The store behind memory; `nullStore` where there is none. */
  store?: OpenStore;
  memory: MemoryTier;
  clock: Clock;
  headMaxAgeSeconds: number;
  /** Bound on each request, body included. */
  timeoutMs: number;
  userAgent: string;
  maxBlobBytes: number;
  /** Largest archive of a commit that is streamed, in compressed bytes; default 256 MiB. */
  maxArchiveBytes?: number;
  /** Where archives are kept; null or left out where they are not. */
  archiveStorage?: ArchiveStorage | null;
  /** How long archives are kept; default 30. */
  archiveTtlDays?: number;
  /** How long a call waits for another one that does the same work, in milliseconds; default `timeoutMs` + 1000. */
  followMs?: number;
  /** Wait before a failed GET is repeated, in milliseconds; default 200. */
  repeatAfterMs?: number;
}

/** What of a call the adapter uses. */
export interface ReaderCall {
  ledger: Ledger;
  background: Background;
  /** Default: somebody waits for it. */
  priority?: Priority | undefined;
  traceparent?: string | undefined;
  signal?: AbortSignal | undefined;
  progress?: StreamProgress | undefined;
}

export interface GitHub {
  open(entry: RepositoryEntry, call: ReaderCall): RepositoryReader;
  /** The same for committing. Shares the reader's caches, not its credential. */
  openWriter(entry: RepositoryEntry, call: Omit<ReaderCall, "signal" | "progress">): RepositoryWriter;
  /** Asks GitHub who a repository is, whatever is remembered. */
  identityNow(entry: RepositoryEntry, call: ReaderCall): Promise<RepositoryIdentity>;
  /** What this isolate learned of it last, without asking. `current`: within the hour, and after all news of it. */
  lastIdentity(entry: RepositoryEntry): { identity: RepositoryIdentity; current: boolean } | null;
}

export function createGitHub(options: GitHubOptions): GitHub {
  const { apiUrl, memory, clock, timeoutMs } = options;
  const { store = nullStore, headMaxAgeSeconds, maxBlobBytes } = options;
  const credentials = options.credentials ?? fixedCredentials(options.token);
  const budgets = options.budgets ?? localBudgets(clock);
  const client = createClient({ ...options, credentials, budgets });
  const writeClient = createWriteClient({ ...options, credentials, budgets });
  const api = new URL(apiUrl);
  const apiHost = `${api.host}${api.pathname.replace(/\/$/, "")}`;
  const credential = credentials.name;
  // A follower waits as long as one request may take; a leader that needs longer is overtaken, not waited for.
  const flights = new SingleFlight(options.followMs ?? timeoutMs + 1000);
  const news = options.news ?? noNews;

  /** What isolates tell one another lies with the budget that it was asked for with. */
  const shared = (asking: Asking): Shared => ({
    async recall(key) {
      try {
        return (await budgets.of(await credentials.holder(asking)).facts?.recall(key)) ?? null;
      } catch {
        // Who cannot say whose budget it is has nothing to recall; the request itself will say why.
        return null;
      }
    },
    remember(key, value) {
      const write = async (): Promise<void> => {
        await budgets.of(await credentials.holder(asking)).facts?.remember(key, value);
      };
      asking.background.keepAlive(Promise.allSettled([write()]));
    },
  });
  const identities: IdentityScope = { client, memory, flights, clock, apiHost, credential, news, shared };

  const archives = new ArchiveStore({
    storage: options.archiveStorage ?? null,
    ttlSeconds: (options.archiveTtlDays ?? 30) * 86_400,
    memory,
    clock,
  });
  const queue = new ArchiveQueue({ clock, deadAfterMs: timeoutMs + 5000 });

  const bindTo = (asking: Asking, id: number): Repository => {
    const { entry, background, ledger } = asking;
    return repositoryOf(client, {
      entry,
      asking,
      id,
      keys: { apiHost, repositoryId: id },
      credential,
      tiers: { memory, store: store(background), flights, background, ledger },
      clock,
      news,
      shared: shared(asking),
      confirm: () => confirmReadable(identities, asking),
    });
  };

  return {
    lastIdentity: (entry) => lastIdentity(identities, entry),
    identityNow: (entry, { ledger, background, priority = "interactive" }) =>
      identityNow(identities, { entry, ledger, background, priority }),
    open(entry, { ledger, background, priority = "interactive", traceparent, signal, progress }) {
      const asking: Asking = { entry, ledger, background, priority, traceparent };
      return createReader({
        identities,
        asking,
        headMaxAgeMs: headMaxAgeSeconds * 1000,
        maxBlobBytes,
        archives: {
          apiUrl,
          fetch: options.fetch,
          userAgent: options.userAgent,
          timeoutMs,
          maxBytes: options.maxArchiveBytes ?? 268_435_456,
          store: archives,
          queue,
          signal,
          progress,
        },
        codeSearch: (repository, fullName, words) =>
          searchCode(client, repository, fullName, words, credentials.authorized),
        bind: (id) => bindTo(asking, id),
      });
    },
    openWriter(entry, { ledger, background, priority = "interactive", traceparent }) {
      const asking: Asking = { entry, ledger, background, priority, traceparent };
      const identity = () => identityOf(identities, asking);
      return createWriter(
        async () =>
          writableRepository(writeClient, bindTo(asking, entry.id ?? (await identity()).id), {
            identity,
            nodeId: () => nodeIdOf(identities, asking),
            defaultBranch: () => ({
              known: knownIdentity(identities, entry)?.defaultBranch ?? null,
              current: clock.now() - identityCheckedAt(identities, entry) < headMaxAgeSeconds * 1000,
            }),
          }),
        archives,
      );
    },
  };
}
