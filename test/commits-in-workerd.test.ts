/** The queue and the ledger where they will run: in Durable Objects, over RPC, with their storage. Their decisions are tested in Node. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Caller } from "../src/ports/registry.ts";
import { type RunningWorker, startWorker } from "./running-worker.ts";
import type { LedgerCall } from "./workers/commits-worker.ts";

let worker: RunningWorker;
const stateFolder = mkdtempSync(join(tmpdir(), "gitpin-commits-"));

const start = (): Promise<RunningWorker> =>
  startWorker({
    entry: "test/workers/commits-worker.ts",
    durableObjects: { BRANCH_QUEUES: "BranchQueueObject", REQUESTS: "RequestLedgerObject" },
    stateFolder,
  });

before(async () => {
  worker = await start();
});
after(async () => {
  await worker?.close();
  rmSync(stateFolder, { recursive: true, force: true });
});

interface State {
  atWork: number;
  most: number;
  done: string[];
}

const get = (path: string, signal?: AbortSignal) =>
  fetch(`${worker.url}${path}`, {
    headers: { connection: "close" },
    ...(signal === undefined ? {} : { signal }),
  });
const state = async (): Promise<State> => (await (await get("/state")).json()) as State;

async function until(holds: (now: State) => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds(await state())) assert.ok(Date.now() < deadline, "it never came");
}

test("fifty at once work one at a time, and all of them", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
  const answers = await Promise.all(names.map((name) => get(`/turn?branch=main&name=${name}`)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const { most, done } = await state();
  assert.equal(most, 1);
  assert.deepEqual(done.toSorted(), names.toSorted());
});

test("who leaves while waiting keeps nobody else from their turn", async () => {
  await get("/hold?on=1");
  const holder = get("/turn?branch=left&name=holder");
  await until(({ atWork }) => atWork === 1);
  const leaving = new AbortController();
  const left = get("/turn?branch=left&name=left", leaving.signal).catch((thrown: unknown) => thrown);
  const staying = get("/turn?branch=left&name=staying");
  leaving.abort();
  assert.ok((await left) instanceof Error);
  await get("/hold?on=0");
  assert.equal((await holder).status, 200);
  assert.equal((await staying).status, 200);
});

const blue: Caller = { id: "token:0123456789abcdef", team: "blue", scopes: ["kin:write"] };

async function ledger(
  operation: LedgerCall["operation"],
  caller: Caller,
  ...given: unknown[]
): Promise<unknown> {
  const body: LedgerCall = { operation, caller, given };
  const response = await fetch(`${worker.url}/ledger`, {
    method: "POST",
    headers: { connection: "close" },
    body: JSON.stringify(body),
  });
  return await response.json();
}

test("a request is claimed once among many, and its receipt comes back whole after a restart", async () => {
  const claims = await Promise.all(Array.from({ length: 20 }, () => ledger("claim", blue, "r1", "d1")));
  const statuses = (claims as { status: string }[]).map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, ["claimed", ...Array<string>(19).fill("in_progress")]);
  const intent = { repositoryId: 7, branch: "main", commit: "a".repeat(40), receipt: "announced" };
  assert.equal(await ledger("intend", blue, "r1", 1, intent), true);
  assert.equal(await ledger("intend", blue, "r1", 2, intent), false);
  const receipt = JSON.stringify({ diff: "\u{1F600}é\n".repeat(700_000) });
  await ledger("settle", blue, "r1", 1, receipt);
  await ledger("claim", blue, "cut off", "d2");
  await ledger("intend", blue, "cut off", 2, intent);

  await worker.close();
  worker = await start();
  const settled = (await ledger("claim", blue, "r1", "d1")) as { status: string; receipt: string };
  assert.equal(settled.status, "settled");
  assert.ok(settled.receipt === receipt, "the receipt is not the one that was kept");
  assert.deepEqual(await ledger("claim", blue, "r1", "d2"), { status: "mismatch" });
  assert.equal(((await ledger("claim", blue, "cut off", "d2")) as { status: string }).status, "in_progress");
  await ledger("release", blue, "cut off", 2);
  assert.deepEqual(await ledger("claim", blue, "cut off", "d3"), {
    status: "claimed",
    fence: 3,
    earlier: [],
  });
  // Another caller's object knows nothing of it.
  const green = { ...blue, team: "green" };
  assert.deepEqual(await ledger("claim", green, "r1", "d2"), { status: "claimed", fence: 1, earlier: [] });
});
