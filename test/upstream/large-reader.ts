/**
 * Reads a large repository through the adapter, alone in a process whose heap is bounded, and prints what it saw and took as JSON.
 * Run by `large-repository.test.ts` and `scripts/bench-large.ts`: `node large-reader.ts URL COMMIT PATH`.
 */
import { MemoryTier } from "../../src/cache/memory-tier.ts";
import { createGitHub } from "../../src/github/github.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import { repositoryEntry } from "../../src/schema/registry.ts";

export interface LargeReading {
  paths: number;
  complete: boolean;
  assurance: string;
  wide: number;
  found: string | null;
  requests: number;
  /** Milliseconds. */
  took: number;
  /** JavaScript heap and buffers together at their highest, less what they were before, in bytes; sampled. */
  peak: number;
  /** The longest that the thread was not free, in milliseconds. */
  blocked: number;
}

const MB = 1024 * 1024;
const [, , url = "", sha = "", path = ""] = process.argv;

const used = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

let peak = 0;
let blocked = 0;
let last = performance.now();
const sample = (): void => {
  peak = Math.max(peak, used());
  blocked = Math.max(blocked, performance.now() - last);
  last = performance.now();
};
const store = new Map<string, number>();
const github = createGitHub({
  apiUrl: url,
  token: null,
  fetch,
  // As a store in another process: takes the bytes and keeps none of them here.
  store: () => ({
    get: async () => null,
    put: (key, bytes) => {
      sample();
      store.set(key, bytes.length);
    },
    drop: () => undefined,
  }),
  memory: new MemoryTier(32 * MB),
  clock: { now: () => Date.now() },
  headMaxAgeSeconds: 300,
  timeoutMs: 60_000,
  userAgent: "gitpin-test",
  maxBlobBytes: 32 * MB,
});
const entry = repositoryEntry.parse({ name: "many", owner: "octo", repo: "many" });
const ledger = newLedger();
const reader = github.open(entry, { ledger, background: { keepAlive: () => undefined } });

globalThis.gc?.();
const before = used();
const started = performance.now();
last = started;
const timer = setInterval(sample, 2);
const commit = await reader.commit(sha);
if (commit === null) throw new Error("no such commit");
const found = await reader.entry(commit, path);
const wide = await reader.directory(commit, "wide");
const { entries, complete, assurance } = await reader.paths(commit);
sample();
clearInterval(timer);
const reading: LargeReading = {
  paths: entries.length,
  complete,
  assurance,
  wide: wide?.entries.length ?? 0,
  found: found?.entry.id ?? null,
  requests: ledger.upstreamRequests,
  took: performance.now() - started,
  peak: peak - before,
  blocked,
};
process.stdout.write(JSON.stringify(reading));
