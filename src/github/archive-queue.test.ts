/** One archive at a time, in order; who is dead is overtaken, and nobody waits for ever. */
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
const never = () => new Promise<never>(() => undefined);

test("one at a time, in the order of coming, also when one fails", { timeout: 10_000 }, async () => {
  const queue = new ArchiveQueue({ clock: still, deadAfterMs: 1000 });
  const seen: string[] = [];
  const work = (name: string) =>
    queue.run(async () => {
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
  void queue.run((sign) => {
    alive = sign;
    return never();
  });
  await new Promise((resolve) => setImmediate(resolve));
  still.ms = 900;
  alive();
  still.ms = 1800;
  let passed = false;
  const next = queue.run(async () => {
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
  void patient.run(never);
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(
    patient.run(async () => undefined),
    isBusy,
  );
  const narrow = new ArchiveQueue({ clock: still, deadAfterMs: 1000, waiting: 0 });
  void narrow.run(never);
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(
    narrow.run(async () => undefined),
    isBusy,
  );
});
