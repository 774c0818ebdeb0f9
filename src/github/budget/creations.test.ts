/** Creating content: never more in any minute or hour than GitHub takes, whenever it counts what is under way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { budgetObjects } from "../../../test/repositories/objects-in-node.ts";
import { Buckets } from "./buckets.ts";
import { objectBudgets } from "./object-budgets.ts";

const TOLD = { bucket: null, date: null, outcome: "spent", retryAfter: null } as const;
const NOON = Date.UTC(2026, 5, 1, 12);

/** Creates `count` at a time that stands still. */
function create(buckets: Buckets, count: number, now: number): void {
  for (let i = 0; i < count; i++) {
    const permit = buckets.reserve("core", "interactive", now, true);
    assert.ok("id" in permit, `refused at ${i}`);
    buckets.settle(permit, TOLD, now);
  }
}

test("the 81st within a minute is not sent, and says when it may be; reading goes on", () => {
  const buckets = new Buckets("one");
  create(buckets, 80, NOON);
  assert.deepEqual(buckets.reserve("graphql", "interactive", NOON + 59_999, true), {
    kind: "secondary",
    until: NOON + 60_000,
    resetAt: NOON + 60_000,
  });
  assert.ok("id" in buckets.reserve("core", "interactive", NOON + 59_999));
  create(buckets, 80, NOON + 60_000);
});

test("the 501st within an hour is not sent", () => {
  const buckets = new Buckets("one");
  for (let minute = 0; minute < 10; minute++) create(buckets, 50, NOON + minute * 60_000);
  assert.deepEqual(buckets.reserve("core", "interactive", NOON + 600_000, true), {
    kind: "secondary",
    until: NOON + 3_600_000,
    resetAt: NOON + 3_600_000,
  });
  create(buckets, 50, NOON + 3_600_000);
});

test("one that is long under way counts from its answer", () => {
  const buckets = new Buckets("one");
  const slow = buckets.reserve("core", "interactive", NOON, true);
  assert.ok("id" in slow);
  create(buckets, 79, NOON + 30_000);
  buckets.settle(slow, TOLD, NOON + 40_000);
  create(buckets, 79, NOON + 90_000);
  assert.ok("until" in buckets.reserve("core", "interactive", NOON + 99_999, true));
  create(buckets, 1, NOON + 100_000);
});

test("a count that is started anew goes on where the old one was, with what was under way then", () => {
  const before = new Buckets("one");
  create(before, 79, NOON);
  const permit = before.reserve("core", "interactive", NOON, true);
  const after = new Buckets("two", JSON.parse(JSON.stringify(before.state)));
  assert.ok("until" in after.reserve("core", "interactive", NOON + 1, true));
  assert.ok("id" in permit);
  after.settle(permit, TOLD, NOON + 5_000);
  create(after, 79, NOON + 60_000);
  assert.ok("until" in after.reserve("core", "interactive", NOON + 64_999, true));
});

test("a state from before there was such a count is taken as it is", () => {
  const { creations, ...older } = new Buckets("one").state;
  assert.deepEqual(creations, []);
  create(new Buckets("two", older), 80, NOON);
});

test("isolates that share an object share the count", async () => {
  const clock = { now: () => NOON };
  const objects = budgetObjects(clock);
  const [first, second] = [1, 2].map(() =>
    objectBudgets((name) => objects.getByName(name), clock, { calls: 0, failures: 0 }).of("token:x"),
  );
  for (let i = 0; i < 80; i++) {
    const one = i % 2 === 0 ? first : second;
    const permit = await one?.reserve("core", "interactive", true);
    const told: Promise<unknown>[] = [];
    assert.ok(permit);
    one?.settle(permit, TOLD, (work) => void told.push(work));
    await Promise.all(told);
  }
  await assert.rejects(async () => first?.reserve("core", "interactive", true), {
    code: "upstream_rate_limited",
    data: { kind: "secondary", resetAt: "2026-06-01T12:01:00.000Z", retryAfterSeconds: 60 },
  });
  await first?.reserve("core", "interactive");
});

test("generated traffic: GitHub, counting each request at any moment while it is under way, never counts too many", () => {
  const step = fc.record({
    waitMs: fc.constantFrom(0, 1, 500, 20_000, 61_000, 400_000),
    takesMs: fc.integer({ min: 0, max: 10_000 }),
    countedAt: fc.double({ min: 0, max: 1, noNaN: true }),
    times: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const buckets = new Buckets("one");
      const counted: number[] = [];
      const underWay: { at: number; settle: () => void }[] = [];
      let now = NOON;
      for (const { waitMs, takesMs, countedAt, times } of steps) {
        now += waitMs;
        underWay.sort((a, b) => a.at - b.at);
        while ((underWay[0]?.at ?? Number.POSITIVE_INFINITY) <= now) underWay.shift()?.settle();
        for (let i = 0; i < times; i++) {
          const permit = buckets.reserve("core", "interactive", now, true);
          if (!("id" in permit)) break;
          const at = now + takesMs;
          counted.push(now + takesMs * countedAt);
          underWay.push({ at, settle: () => buckets.settle(permit, TOLD, at) });
        }
      }
      counted.sort((a, b) => a - b);
      for (const [atMost, withinMs] of [
        [80, 60_000],
        [500, 3_600_000],
      ] as const) {
        for (let i = atMost; i < counted.length; i++) {
          assert.ok(
            (counted[i] ?? 0) - (counted[i - atMost] ?? 0) >= withinMs,
            `${atMost} in ${withinMs} ms`,
          );
        }
      }
    }),
    { numRuns: 40 },
  );
});
