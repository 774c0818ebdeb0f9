/**
 * One repository at a local host, read and written through the GitHub adapter with a store in memory: for tests of the adapter.
 * Owns a clock that stands still until it is moved, and the count of requests of each call.
 */

import type { OpenStore } from "../../src/cache/kv-store.ts";
import { MemoryTier } from "../../src/cache/memory-tier.ts";
import { createGitHub, type GitHub, type GitHubOptions } from "../../src/github/github.ts";
import { type LocalHost, type LocalHostOptions, startLocalHost } from "../../src/local/host.ts";
import { type Ledger, newLedger } from "../../src/ports/ledger.ts";
import type { RepositoryReader } from "../../src/ports/repository-reader.ts";
import type { RepositoryWriter } from "../../src/ports/repository-writer.ts";
import { repositoryEntry } from "../../src/schema/registry.ts";

export const REPOSITORY_ID = 7001;

/** A store that keeps everything, open to be looked into and damaged. */
export class MapStore {
  readonly values = new Map<string, Uint8Array>();
  readonly dropped: string[] = [];
  readonly open: OpenStore = () => ({
    get: async (key) => this.values.get(key) ?? null,
    put: (key, bytes) => {
      this.values.set(key, bytes.slice());
    },
    drop: (key) => {
      this.dropped.push(key);
      this.values.delete(key);
    },
  });
}

export interface Hosted {
  host: LocalHost;
  store: MapStore;
  /** Milliseconds since the Unix epoch; moved by the test. */
  clock: { now(): number; ms: number };
  /** Another isolate: same store, empty memory. */
  isolate(options?: Partial<GitHubOptions>): GitHub;
  /** A call of its own against one isolate. `entry` overrides the registry entry. */
  call(
    github: GitHub,
    entry?: Record<string, unknown>,
  ): { reader: RepositoryReader; writer: RepositoryWriter; ledger: Ledger };
  /** Requests that reached the host since the last `forget`, as `path` without the repository's address. */
  paths(): string[];
  forget(): void;
}

export async function hosted(path: string, options: Partial<LocalHostOptions> = {}): Promise<Hosted> {
  const clock = {
    ms: Date.UTC(2026, 5, 1),
    now(): number {
      return this.ms;
    },
  };
  const host = await startLocalHost({
    repositories: [{ owner: "octo", name: "awkward", path, id: REPOSITORY_ID, private: true }],
    tokens: ["a-token"],
    now: () => clock.now(),
    ...options,
  });
  const store = new MapStore();
  return {
    host,
    store,
    clock,
    isolate: (more = {}) =>
      createGitHub({
        apiUrl: host.url,
        token: "a-token",
        fetch,
        store: store.open,
        memory: new MemoryTier(50_000_000),
        clock,
        headMaxAgeSeconds: 15,
        timeoutMs: 10_000,
        userAgent: "gitpin-test",
        maxBlobBytes: 20_000_000,
        repeatAfterMs: 0,
        ...more,
      }),
    call(github, entry = {}) {
      const ledger = newLedger();
      const registered = repositoryEntry.parse({
        name: "awkward",
        owner: "octo",
        repo: "awkward",
        id: REPOSITORY_ID,
        ...entry,
      });
      const background = { keepAlive: () => undefined };
      const call = { ledger, background };
      return { reader: github.open(registered, call), writer: github.openWriter(registered, call), ledger };
    },
    paths: () => host.requests.map((request) => request.path.replace(`/repositories/${REPOSITORY_ID}`, "")),
    forget: () => {
      host.requests.length = 0;
    },
  };
}
