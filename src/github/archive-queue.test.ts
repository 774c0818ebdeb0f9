/** One archive at a time, in order and repository by repository; who is dead is overtaken, and nobody waits for ever. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../errors.ts";
import { ArchiveQueue } from "./archive-queue.ts";

/** A clock that goes on by itself: each look takes a second. */
const hasty = () => {
  let ms = 0;
  return { now: () => (ms += 1000) };
};
const still = { ms: 0, now: () => still.ms };
const app = { repository: "app" };
const never = () => new Promise<never>(() => undefined);

test("one at a time, in the order of coming, also when one fails", { timeout: 10_000 }, async () => {
  const queue = new ArchiveQueue({ clock: still, deadAfterMs: 1000 });
  const seen: string[] = [];
  const work = (name: string) =>
    queue.run(app, async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} ends`);
      if (name === "b") throw new Error("b fails");
      return name;
    });
  const all = await Promise.allSettled([work("a"), work("b"), work("c")]);
  assert.deepEqual(seen, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  assert.deepEqual(
    all.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
});

test("who shows no sign of life is overtaken, who does is waited for", { timeout: 10_000 }, async () => {
  still.ms = 0;
  const queue = new ArchiveQueue({ clock: still, deadAfterMs: 1000 });
  let alive: () => void = never;
  void queue.run(app, (sign) => {
    alive = sign;
    return never();
  });
  await new Promise((resolve) => setImmediate(resolve));
  still.ms = 900;
  alive();
  still.ms = 1800;
  let passed = false;
  const next = queue.run(app, async () => {
    passed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(passed, false);
  still.ms = 1900;
  await next;
  assert.equal(passed, true);
});

test("too long, or too many: busy, with the time to come back", { timeout: 10_000 }, async () => {
  const isBusy = (error: unknown) =>
    error instanceof GitpinError && error.code === "search_busy" && error.data.retryAfterSeconds === 10;
  const patient = new ArchiveQueue({ clock: hasty(), deadAfterMs: 1_000_000, patienceMs: 2500 });
  void patient.run(app, never);
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(
    patient.run(app, async () => undefined),
    isBusy,
  );
  const narrow = new ArchiveQueue({ clock: still, deadAfterMs: 1000, waiting: 0 });
  void narrow.run(app, never);
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(
    narrow.run(app, async () => undefined),
    isBusy,
  );
});

test("turns go round by repository: many searches of one do not hold up another", {
  timeout: 10_000,
}, async () => {
  const queue = new ArchiveQueue({ clock: still, deadAfterMs: 1000 });
  const seen: string[] = [];
  const work = (repository: string, name: string) =>
    queue.run({ repository }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(name);
    });
  await Promise.all([
    ...["1", "2", "3", "4"].map((one) => work("large", `large ${one}`)),
    ...["1", "2"].map((one) => work("other", `other ${one}`)),
    work("tiny", "tiny"),
  ]);
  assert.deepEqual(seen, ["large 1", "other 1", "tiny", "large 2", "other 2", "large 3", "large 4"]);
});

test("searches of one repository do not fill the queue", { timeout: 10_000 }, async () => {
  const queue = new ArchiveQueue({ clock: still, deadAfterMs: 1000, waiting: 3, waitingForOne: 2 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = [1, 2, 3].map(() => queue.run(app, () => held));
  await assert.rejects(
    queue.run(app, () => held),
    /busy/,
  );
  const other = queue.run({ repository: "other" }, async () => "served");
  release();
  assert.equal(await other, "served");
  await Promise.all(first);
});

test("who leaves while waiting is never given a turn", { timeout: 10_000 }, async () => {
  const queue = new ArchiveQueue({ clock: still, deadAfterMs: 1000 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = queue.run(app, () => held);
  const leaving = new AbortController();
  let ran = false;
  const second = queue.run({ ...app, signal: leaving.signal }, async () => {
    ran = true;
  });
  leaving.abort();
  await assert.rejects(second, (error) => error instanceof GitpinError && error.code === "caller_left");
  release();
  await first;
  assert.equal(ran, false);
});

test("who is first in line but dead is passed over", { timeout: 10_000 }, async (t) => {
  const queue = new ArchiveQueue({ clock: still, deadAfterMs: 1000 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = queue.run({ repository: "large" }, () => held);
  // A request that the runtime stopped without a word: whatever it waits for, nothing of it ever runs on.
  const stopped = t.mock.method(Promise, "race", never, { times: 1 });
  void queue.run(app, async () => "never");
  stopped.mock.restore();
  const next = queue.run({ repository: "large" }, async () => "served");
  release();
  assert.equal(await next, "served");
  await first;
});
