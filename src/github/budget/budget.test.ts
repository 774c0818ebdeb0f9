/**
 * A budget under load, against the local host: 1,000 mixed calls where GitHub allows 100 requests an hour, from one isolate and
 * from two that share their objects, through faults of every kind. Not one request goes past a limit; what is cached is served on.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { GitRepository } from "../../../test/repositories/git.ts";
import { type Hosted, hosted } from "../../../test/repositories/hosted.ts";
import { budgetObjects, type ObjectsInNode } from "../../../test/repositories/objects-in-node.ts";
import { asGitpinError, type GitpinError } from "../../errors.ts";
import type { FaultRule } from "../../local/host.ts";
import type { GitHub } from "../github.ts";
import { objectBudgets } from "./object-budgets.ts";

const FILES = 150;
const LIMIT = 100;
const CALLS = 1000;

let repository: GitRepository;
let head: string;
let at: Hosted;

before(() => {
  repository = new GitRepository("many");
  for (let i = 0; i < FILES; i++) repository.write(`f${i}.txt`, `${i}\n`);
  head = repository.commit("files");
});
beforeEach(async () => {
  at = await hosted(repository.path, { rateLimit: { limit: LIMIT } });
});
afterEach(() => at.host.close());
after(() => repository.remove());

/** The same numbers in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function isolates(count: number, objects: ObjectsInNode | null, more: { timeoutMs?: number } = {}): GitHub[] {
  return Array.from({ length: count }, () =>
    at.isolate({
      ...more,
      ...(objects === null
        ? {}
        : {
            budgets: objectBudgets((name) => objects.getByName(name), at.clock, { calls: 0, failures: 0 }),
          }),
    }),
  );
}

async function blobOf(github: GitHub, i: number): Promise<string> {
  const { reader } = at.call(github);
  const commit = await reader.commit(head);
  assert.ok(commit);
  const found = await reader.entry(commit, `f${i}.txt`);
  assert.ok(found);
  return Buffer.from(await reader.blob(found.entry.id)).toString();
}

interface Tally {
  read: number;
  limited: GitpinError[];
  others: GitpinError[];
}

/** Mixed calls, 20 at a time; files that are asked for often and files that are asked for once. */
async function load(from: readonly GitHub[], calls = CALLS): Promise<Tally> {
  const random = sequence(7);
  const tally: Tally = { read: 0, limited: [], others: [] };
  const one = async (): Promise<void> => {
    const github = from[random(from.length)];
    assert.ok(github);
    at.clock.ms += random(200);
    const file = random(3) === 0 ? random(FILES) : random(10);
    try {
      if (random(4) === 0) assert.equal((await at.call(github).reader.head()).sha, head);
      else assert.equal(await blobOf(github, file), `${file}\n`);
      tally.read += 1;
    } catch (thrown) {
      const error = asGitpinError(thrown);
      if (error.code === "internal") throw thrown;
      (error.code === "upstream_rate_limited" ? tally.limited : tally.others).push(error);
    }
  };
  for (let done = 0; done < calls; done += 20) await Promise.all(Array.from({ length: 20 }, one));
  return tally;
}

/** Requests that GitHub refused for its limit: none may ever be. */
const refused = (): number =>
  at.host.requests.filter(({ status, fault }) => fault === null && (status === 403 || status === 429)).length;

/** When the host says that the window ends; asking costs nothing. */
async function resetOf(): Promise<string> {
  const headers = { authorization: "Bearer a-token", "user-agent": "test" };
  const answer = await fetch(`${at.host.url}/rate_limit`, { headers });
  const { resources } = (await answer.json()) as { resources: { core: { reset: number } } };
  return new Date(resources.core.reset * 1000).toISOString();
}

const spent = (): number =>
  at.host.requests.filter(({ status, fault }) => fault === null && status !== 304).length;

for (const [name, count, together] of [
  ["one isolate by itself", 1, false],
  ["one isolate and its object", 1, true],
  ["two isolates at once", 2, true],
] as const) {
  test(`1,000 calls at 100 requests an hour, ${name}`, async () => {
    const objects = together ? budgetObjects(at.clock) : null;
    const all = isolates(count, objects);
    const tally = await load(all);
    assert.equal(refused(), 0, "a request went past the limit");
    assert.equal(tally.others.length, 0);
    assert.equal(tally.read + tally.limited.length, CALLS);
    assert.equal(spent(), LIMIT, "the budget is used to its end");
    assert.ok(tally.limited.length > 0);
    const reset = await resetOf();
    for (const error of tally.limited) assert.equal(error.data.resetAt, reset);
    // What is cached is served on, and says how old HEAD is.
    const [github] = all;
    assert.ok(github);
    at.forget();
    at.clock.ms += 20_000;
    const tip = await at.call(github).reader.head();
    assert.deepEqual([tip.sha, tip.stale?.code], [head, "upstream_rate_limited"]);
    assert.ok(Date.parse(tip.checkedAt) < at.clock.ms - 20_000);
    assert.equal(await blobOf(github, 3), "3\n");
    assert.equal(at.host.requests.length, 0);
    // And once the hour is over, all is as before.
    at.clock.ms = Date.parse(reset);
    assert.equal((await at.call(github).reader.head()).stale, null);
  });
}

test("an isolate that knows nothing and meets an empty budget serves what the others keep", async () => {
  const objects = budgetObjects(at.clock);
  const [first] = isolates(1, objects);
  assert.ok(first);
  await load([first]);
  at.clock.ms += 20_000;
  const [fresh] = isolates(1, objects);
  assert.ok(fresh);
  at.forget();
  const tip = await at.call(fresh).reader.head();
  assert.deepEqual([tip.sha, tip.stale?.code], [head, "upstream_rate_limited"]);
  assert.equal(await blobOf(fresh, 3), "3\n");
  assert.equal(at.host.requests.length, 0);
});

test("isolates share what was asked for: a tip that one refreshed is fresh for the other", async () => {
  const [first, second] = isolates(2, budgetObjects(at.clock));
  assert.ok(first && second);
  await at.call(first).reader.head();
  at.clock.ms += 5000;
  const { reader, ledger } = at.call(second);
  assert.equal((await reader.head()).sha, head);
  assert.equal(ledger.upstreamRequests, 0);
  at.clock.ms += 11_000;
  await at.call(second).reader.head();
  assert.deepEqual(
    at.host.requests.map(({ status }) => status),
    [200, 304],
    "with the first one's ETag",
  );
});

test("a warm answer asks no object", async () => {
  const objects = budgetObjects(at.clock);
  const [github] = isolates(1, objects);
  assert.ok(github);
  await blobOf(github, 1);
  await at.call(github).reader.head();
  objects.calls.length = 0;
  await blobOf(github, 1);
  await at.call(github).reader.head();
  assert.deepEqual(objects.calls, []);
});

test("an object that cannot be asked: the isolate goes by what it has seen", async () => {
  const objects = budgetObjects(at.clock);
  const all = isolates(1, objects);
  await load(all, 40);
  objects.failing.on = true;
  const tally = await load(all);
  assert.equal(refused(), 0);
  assert.equal(tally.others.length, 0);
  assert.ok(spent() <= LIMIT);
});

const ONCE_IN_A_WHILE: [string, Omit<FaultRule, "match">][] = [
  ["5xx bursts", { kind: "status", status: 502 }],
  ["the page of an overloaded GitHub", { kind: "html-503" }],
  ["slow answers", { kind: "delay", ms: 5 }],
  ["cut bodies", { kind: "cut" }],
  ["broken connections", { kind: "reset" }],
  ["well-framed halves", { kind: "bad-json" }],
];

for (const [name, rule] of ONCE_IN_A_WHILE) {
  test(`the same through ${name}`, async () => {
    let seen = 0;
    // Bursts: five requests in a row, then a dozen that are well.
    at.host.faults.add({ ...rule, match: () => seen++ % 17 < 5 });
    const tally = await load(isolates(2, budgetObjects(at.clock)));
    assert.equal(refused(), 0, "a request went past the limit");
    assert.ok(spent() <= LIMIT);
    assert.ok(tally.read > 0);
    for (const { code } of tally.others) {
      assert.ok(["upstream_unavailable", "upstream_corrupt", "upstream_unexpected"].includes(code), code);
    }
  });
}

for (const [kind, seconds] of [
  ["secondary-limit", 90],
  ["secondary-limit-no-retry-after", 60],
] as const) {
  test(`${kind}: not one request more until it is over`, async () => {
    const all = isolates(2, budgetObjects(at.clock));
    await load(all, 40);
    const rule = at.host.faults.add({ kind, retryAfterSeconds: seconds, times: 1, match: () => true });
    const struckAt = at.clock.ms;
    at.clock.ms += 16_000;
    // One after the other: the first one to ask is told, and nobody asks again.
    const limitedAt: number[] = [];
    for (let i = 0; i < 30; i++) {
      const github = all[i % 2];
      assert.ok(github);
      const tip = await at.call(github).reader.head();
      if (tip.stale !== null) limitedAt.push(at.clock.ms);
      at.clock.ms += 100;
    }
    assert.equal(rule.hits, 1);
    assert.equal(limitedAt.length, 30, "every answer says that HEAD could not be refreshed");
    const before = at.host.requests.length;
    at.clock.ms = struckAt + 16_000 + seconds * 1000 - 1;
    for (const github of all) assert.notEqual((await at.call(github).reader.head()).stale, null);
    assert.equal(at.host.requests.length, before);
    at.clock.ms += 5000;
    const [github] = all;
    assert.ok(github);
    assert.equal((await at.call(github).reader.head()).stale, null);
  });
}

test("clocks ten minutes apart: the same", async () => {
  for (const difference of [-600_000, 600_000]) {
    const base = at.clock;
    const here = await hosted(repository.path, {
      rateLimit: { limit: LIMIT },
      now: () => base.ms + difference,
    });
    const before = at;
    at = { ...here, clock: base };
    try {
      const [github] = isolates(1, null);
      assert.ok(github);
      const isolate = here.isolate({ clock: base });
      await load([isolate]);
      assert.equal(refused(), 0);
      assert.equal(spent(), LIMIT);
    } finally {
      await here.host.close();
      at = before;
    }
  }
});
