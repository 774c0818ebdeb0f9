/** The adapter inside workerd: requests that share work neither break nor wait for one another without end. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { type LocalHost, startLocalHost } from "../../src/local/host.ts";
import { GitRepository } from "../repositories/git.ts";
import { type RunningWorker, startWorker } from "../running-worker.ts";

const ID = 77;
let repository: GitRepository;
let host: LocalHost;
let worker: RunningWorker;
/** Where one store outlives its isolates. */
const folder = mkdtempSync(join(tmpdir(), "gitpin-kv-"));

/** An isolate of its own; its store is empty, or the one in a folder. */
const freshWorker = (followMs = "20000", stateFolder?: string): Promise<RunningWorker> =>
  startWorker({
    ...(stateFolder === undefined ? {} : { stateFolder }),
    entry: "test/github/fixture-worker.ts",
    vars: { GITHUB_API_URL: host.url, REPOSITORY_ID: String(ID), FOLLOW_MS: followMs },
  });

before(async () => {
  repository = new GitRepository("r");
  for (let i = 0; i < 40; i++) repository.write(`f${i}.txt`, `${i}\n`.repeat(i * 1000));
  repository.commit("files");
  host = await startLocalHost({
    repositories: [{ owner: "octo", name: "r", path: repository.path, id: ID }],
  });
});
afterEach(async () => {
  host.faults.clear();
  host.requests.length = 0;
  await worker.close();
});
after(async () => {
  await host.close();
  repository.remove();
  rmSync(folder, { recursive: true });
});

/** Asks until the Worker has begun that many calls. */
async function begun(calls: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${worker.url}/started`);
    if (Number(await answer.text()) >= calls) return;
  }
}

test("50 equal calls at once cost what one costs", async () => {
  worker = await freshWorker();
  const held = host.faults.add({ kind: "hang", match: (_, path) => path.includes("/commits/HEAD") });
  const asked = Array.from({ length: 50 }, () => fetch(`${worker.url}/f7.txt`));
  await begun(50);
  held.release();
  const answers = await Promise.all(asked);
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), "7\n".repeat(7000));
  }
  assert.equal(host.requests.length, 3);
  const spent = answers.map((answer) => Number(answer.headers.get("x-requests")));
  assert.equal(
    spent.reduce((sum, one) => sum + one),
    3,
    "each request is in one ledger",
  );
});

test("40 different files at once, each as it is", async () => {
  worker = await freshWorker();
  const read = async (i: number) => {
    const answer = await fetch(`${worker.url}/f${i}.txt`);
    assert.equal(await answer.text(), `${i}\n`.repeat(i * 1000), `f${i}.txt`);
  };
  await Promise.all(Array.from({ length: 40 }, (_, i) => read(i)));
  assert.equal(host.requests.length, 42);
});

test("another isolate reads from KV what the first one kept; damage there is noticed", async () => {
  const read = async (): Promise<string> => {
    host.requests.length = 0;
    const answer = await fetch(`${worker.url}/f3.txt`);
    assert.equal(await answer.text(), "3\n".repeat(3000));
    return host.requests.map((request) => request.path.split("/")[3]).join(" ");
  };
  /** Writes are not awaited by answers: looks until the blob is there. */
  const blobKey = async (): Promise<string> => {
    const kv = await worker.kv();
    for (;;) {
      const { keys } = await kv.list();
      const key = keys.find(({ name }) => name.includes("/blob/"));
      if (key !== undefined && keys.length === 3) return key.name;
    }
  };
  worker = await freshWorker("20000", folder);
  assert.equal(await read(), "commits git git");
  await blobKey();
  await worker.close();
  worker = await freshWorker("20000", folder);
  assert.equal(await read(), "commits");
  await (await worker.kv()).put(await blobKey(), "damaged");
  await worker.close();
  worker = await freshWorker("20000", folder);
  assert.equal(await read(), "commits git");
});

test("a failed answer is repeated inside workerd, and a hanging one comes to an end", async () => {
  worker = await freshWorker();
  host.faults.add({ kind: "html-503", times: 2, match: (_, path) => path.includes("/git/blobs/") });
  host.faults.add({ kind: "cut", times: 1, match: (_, path) => path.includes("/git/trees/") });
  host.faults.add({ kind: "reset", times: 1, match: (_, path) => path.includes("/commits/") });
  const answer = await fetch(`${worker.url}/f1.txt`);
  assert.deepEqual([answer.status, answer.headers.get("x-requests")], [200, "7"]);
  await answer.text();
});

/** A first caller that goes away while the host holds the blob back, and others that wait for its work. */
async function abandonedLeader(query: string): Promise<string[]> {
  await (await fetch(`${worker.url}/f1.txt`)).text();
  const held = host.faults.add({ kind: "hang", times: 1, match: (_, path) => path.includes("/git/blobs/") });
  const leaves = new AbortController();
  const reached = host.nextRequest((request) => request.path.includes("/git/blobs/"));
  const leader = fetch(`${worker.url}/f9.txt${query}`, { signal: leaves.signal });
  await reached;
  const followers = Array.from({ length: 10 }, () => fetch(`${worker.url}/f9.txt`));
  await begun(12);
  leaves.abort();
  await assert.rejects(leader);
  if (query === "") held.release();
  const answers = await Promise.all(followers);
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  return Promise.all(answers.map((answer) => answer.text()));
}

test("a leader whose caller goes away finishes for the others", async () => {
  worker = await freshWorker();
  const texts = await abandonedLeader("");
  assert.deepEqual([...new Set(texts)], ["9\n".repeat(9000)]);
  assert.equal(host.requests.filter((request) => request.path.includes("/git/blobs/")).length, 2);
});

test("a leader that dies is replaced, once", async () => {
  worker = await freshWorker("300");
  const texts = await abandonedLeader("?alive=no");
  assert.deepEqual([...new Set(texts)], ["9\n".repeat(9000)]);
  assert.equal(host.requests.filter((request) => request.path.includes("/git/blobs/")).length, 3);
});
