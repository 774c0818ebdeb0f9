/** A caller that leaves: its search ends in the middle, or in the queue, and the turn at the archives passes on. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MemoryTier } from "../../src/cache/memory-tier.ts";
import { GitpinError } from "../../src/errors.ts";
import { createGitHub } from "../../src/github/github.ts";
import { type LocalHost, startLocalHost } from "../../src/local/host.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import { ANONYMOUS } from "../../src/ports/registry.ts";
import { fileRegistry } from "../../src/registry/file-registry.ts";
import { parseRegistry } from "../../src/registry/parse-registry.ts";
import { searchCode } from "../../src/service/search.ts";
import type { ServicePorts } from "../../src/service/service-ports.ts";
import { GitRepository } from "../repositories/git.ts";

const FILES = 20;
const TIMEOUT = { timeout: 30_000 };
let large: GitRepository;
let tiny: GitRepository;
let host: LocalHost;

before(async () => {
  large = new GitRepository("large");
  for (let i = 0; i < FILES; i++) large.write(`f${i}.txt`, `line ${i} of it\n`.repeat(100_000));
  large.commit("large");
  tiny = new GitRepository("tiny");
  tiny.write("a.txt", "needle\n").commit("tiny");
  host = await startLocalHost({
    repositories: [
      { owner: "o", name: "large", path: large.path, id: 1 },
      { owner: "o", name: "tiny", path: tiny.path, id: 2 },
    ],
  });
});

after(async () => {
  await host?.close();
  large.remove();
  tiny.remove();
});

function service(pause: () => Promise<void>) {
  const github = createGitHub({
    apiUrl: host.url,
    token: null,
    fetch,
    memory: new MemoryTier(1_000_000),
    clock: { now: () => Date.now() },
    userAgent: "gitpin-test",
    headMaxAgeSeconds: 3600,
    timeoutMs: 20_000,
    maxBlobBytes: 1_000_000,
  });
  const repositories = ["large", "tiny"].map((name, i) => ({ name, owner: "o", repo: name, id: i + 1 }));
  const ports: ServicePorts = {
    registry: fileRegistry(parseRegistry(JSON.stringify({ version: 1, repositories }), "test"), "all"),
    open: (entry, call) => github.open(entry, call),
    webUrl: null,
    publicUrl: null,
    entities: null,
    writing: null,
    pause,
  };
  return (repository: string, signal?: AbortSignal) =>
    searchCode(
      ports,
      { repository, query: "needle", count: true },
      {
        caller: ANONYMOUS,
        spelling: "dotted",
        ledger: newLedger(),
        background: { keepAlive: () => undefined },
        signal,
      },
    );
}

const left = (error: unknown) => error instanceof GitpinError && error.code === "caller_left";

test("the search itself stops, not only a download", TIMEOUT, async () => {
  const leaving = new AbortController();
  let pauses = 0;
  const search = service(async () => {
    pauses++;
    if (pauses === 3) leaving.abort();
  });
  await assert.rejects(search("large", leaving.signal), left);
  assert.equal(pauses, 3);
  assert.equal((await search("tiny")).totals.matchingLines, 1);
  // Who stays is told everything.
  const whole = await search("large");
  assert.deepEqual([whole.complete, whole.totals.filesSearched], [true, FILES]);
  assert.ok(pauses >= FILES, `${pauses} pauses`);
});

test("who leaves while waiting waits no longer", TIMEOUT, async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: searching, resolve: begins } = Promise.withResolvers<void>();
  const search = service(async () => {
    begins();
    await held;
  });
  const first = search("large");
  await searching;
  const leaving = new AbortController();
  const second = search("large", leaving.signal);
  leaving.abort();
  await assert.rejects(second, left);
  release();
  assert.equal((await first).complete, true);
});
