/** The search where it will run: the same answers as in Node, typed errors, and other requests go on meanwhile. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { SearchOptions } from "../src/core/search/query.ts";
import type { SearchOutcome } from "../src/core/search/search-run.ts";
import type { ErrorReport } from "../src/errors.ts";
import { type RunningWorker, startWorker } from "../src/local/workerd.ts";
import { awkwardRepository } from "./repositories/awkward.ts";
import { GitRepository } from "./repositories/git.ts";

let worker: RunningWorker;
const repositories: GitRepository[] = [];

before(async () => {
  worker = await startWorker({ entry: "test/workers/search-worker.ts" });
});
after(async () => {
  await worker.close();
  for (const repository of repositories) repository.remove();
});

const archiveOf = (repository: GitRepository, commit: string): Buffer =>
  repository.bytes("archive", "--format=tar.gz", "--prefix=owner-name-1234567/", commit);

async function store(archive: Uint8Array): Promise<void> {
  await fetch(worker.url, { method: "PUT", body: new Uint8Array(archive) });
}

type Answer = SearchOutcome & ErrorReport & { root: string };

async function ask(commit: string, options: SearchOptions, work = 3_000_000_000): Promise<Answer> {
  const query = new URLSearchParams({ commit, options: JSON.stringify(options), work: String(work) });
  const response = await fetch(`${worker.url}/?${query}`);
  return (await response.json()) as Answer;
}

test("literal and regular expression, any encoding, hashed on the way", async () => {
  const { repository, first, head } = awkwardRepository();
  repositories.push(repository);
  await store(archiveOf(repository, first));
  assert.equal((await ask(first, { query: "x" })).root, repository.git("rev-parse", `${first}^{tree}`));

  await store(archiveOf(repository, head));
  const places = async (options: SearchOptions): Promise<string[]> =>
    (await ask(head, options)).hits.map(({ path, line, column }) => `${path}:${line}:${column}`);
  assert.deepEqual(await places({ query: "STRASSE" }), []);
  assert.deepEqual(await places({ query: "stra\u1e9ee" }), ["\u00fcml\u00e4ut/stra\u00dfe.md:1:3"]);
  assert.deepEqual(await places({ query: "au LAIT" }), ["latin1.txt:1:6"]);
  assert.deepEqual(await places({ query: "^caf. au", mode: "regex" }), ["latin1.txt:1:1"]);
  assert.deepEqual(await places({ query: "still three$", mode: "regex" }), ["mixed.txt:3:7"]);
  assert.deepEqual(await places({ query: "after", caseSensitive: true }), ["late-nul.dat:3:1"]);
});

test("damaged archives and patterns of another dialect end with their code", async () => {
  const repository = new GitRepository();
  repositories.push(repository);
  for (let i = 0; i < 300; i++) repository.write(`f${i}`, `${i * 7919} `.repeat(300));
  const commit = repository.commit("files");
  const archive = archiveOf(repository, commit);
  const flipped = Buffer.from(archive);
  const middle = archive.length >> 1;
  flipped[middle] = (flipped[middle] ?? 0) ^ 0xff;
  for (const damaged of [archive.subarray(0, middle), flipped, Buffer.from("<html>"), new Uint8Array()]) {
    await store(damaged);
    assert.equal((await ask(commit, { query: "1" })).code, "upstream_corrupt");
  }
  await store(archive);
  assert.equal((await ask("0".repeat(40), { query: "1" })).code, "upstream_corrupt");
  assert.equal((await ask(commit, { query: "a(?=b)", mode: "regex" })).code, "pattern_unsupported");
  assert.equal((await ask(commit, { query: "((a{99}){99}){99}", mode: "regex" })).code, "pattern_too_large");
  assert.equal((await ask(commit, { query: "1" })).totals.filesSearched, 300);
});

test("while a hostile pattern runs, other requests are answered; it ends by its work", async () => {
  const repository = new GitRepository();
  repositories.push(repository);
  let seed = 7;
  const noise = (): string => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed > 1_073_741_824 ? "a" : "b";
  };
  for (let i = 0; i < 30; i++)
    repository.write(`f${10 + i}`, `${Array.from({ length: 4000 }, noise).join("")}\n`.repeat(100));
  const commit = repository.commit("noise");
  await store(archiveOf(repository, commit));
  let ended = false;
  const options = { query: "(a|b)*a(a|b){100}[cd]", mode: "regex", caseSensitive: true } as const;
  const hostile = ask(commit, options, 600_000_000).finally(() => {
    ended = true;
  });
  let meanwhile = 0;
  while (!ended) {
    const searching = await (await fetch(`${worker.url}/ping`)).text();
    if (searching === "1") meanwhile++;
  }
  const outcome = await hostile;
  assert(meanwhile > 1, "answered while the search ran");
  assert.equal(outcome.complete, false);
  assert.equal(outcome.stoppedAt, "f14");
  assert(outcome.nextCursor !== null);
  assert(outcome.work <= 600_000_000);
});
