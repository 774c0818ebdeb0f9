/** The count of a budget: against a model of GitHub's, in every order of sending, counting and answering. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Buckets, type Permit } from "./buckets.ts";
import { LOST, type RateLimit, type Told } from "./limits.ts";

const START = Date.UTC(2026, 5, 1);

const isPermit = (granted: Permit | RateLimit): granted is Permit => "epoch" in granted;

function permitOf(granted: Permit | RateLimit): Permit {
  assert.ok(isPermit(granted), `refused: ${JSON.stringify(granted)}`);
  return granted;
}

function refusalOf(granted: Permit | RateLimit): RateLimit {
  assert.ok(!isPermit(granted), "granted");
  return granted;
}

/** A host with one bucket: counts what reaches it, and says what is left. */
class Host {
  readonly limit: number;
  used = 0;
  reset: number;
  refusals = 0;

  constructor(limit: number, reset: number) {
    this.limit = limit;
    this.reset = reset;
  }

  answer(nowMs: number, free: boolean): Told {
    if (nowMs >= this.reset * 1000) {
      this.used = 0;
      this.reset = Math.ceil(nowMs / 1000) + 3600;
    }
    const bucket = () => ({
      resource: "core" as const,
      limit: this.limit,
      remaining: this.limit - this.used,
      reset: this.reset,
    });
    const date = Math.floor(nowMs / 1000) * 1000;
    if (this.used >= this.limit) {
      this.refusals += 1;
      return { bucket: bucket(), date, outcome: "primary", retryAfter: null };
    }
    if (!free) this.used += 1;
    return { bucket: bucket(), date, outcome: free ? "free" : "spent", retryAfter: null };
  }
}

test("never past the limit, in whatever order requests are sent, counted and answered; exact once all is quiet", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(
        fc.record({
          step: fc.constantFrom("send", "count", "answer", "wait"),
          pick: fc.nat(1000),
          free: fc.boolean(),
        }),
        { minLength: 1, maxLength: 400, size: "max" },
      ),
      (limit, steps) => {
        let now = START;
        const host = new Host(limit, START / 1000 + 60);
        const buckets = new Buckets("one");
        // Something is known, as after any first request.
        const first = permitOf(buckets.reserve("core", "interactive", now));
        buckets.settle(first, host.answer(now, false), now);
        const sent: { permit: Permit; free: boolean }[] = [];
        const counted: { permit: Permit; told: Told }[] = [];
        const take = <T>(from: T[], pick: number): T | undefined =>
          from.length === 0 ? undefined : from.splice(pick % from.length, 1)[0];
        const count = (pick: number): void => {
          const one = take(sent, pick);
          if (one !== undefined) counted.push({ permit: one.permit, told: host.answer(now, one.free) });
        };
        const answer = (pick: number): void => {
          const one = take(counted, pick);
          if (one !== undefined) buckets.settle(one.permit, one.told, now);
        };
        for (const { step, pick, free } of steps) {
          if (step === "send") {
            const granted = buckets.reserve("core", "interactive", now);
            if (isPermit(granted)) sent.push({ permit: granted, free });
          } else if (step === "count") count(pick);
          else if (step === "answer") answer(pick);
          else now += pick * 10;
          assert.equal(host.refusals, 0, "a request went past the limit");
        }
        while (sent.length > 0) count(0);
        while (counted.length > 0) answer(0);
        assert.equal(host.refusals, 0, "a request went past the limit");
        // Alone, one request brings the count and GitHub's own together again.
        const alone = buckets.reserve("core", "interactive", now);
        if (!isPermit(alone)) return;
        const told = host.answer(now, false);
        buckets.settle(alone, told, now);
        assert.equal(buckets.view(now).buckets[0]?.remaining, told.bucket?.remaining);
      },
    ),
    { numRuns: 500 },
  );
});

const told = (remaining: number, reset: number, more: Partial<Told> = {}): Told => ({
  bucket: { resource: "core", limit: 100, remaining, reset },
  date: null,
  outcome: "spent",
  retryAfter: null,
  ...more,
});

const RESET = START / 1000 + 3600;

test("many free answers that overlap do not eat the budget up", () => {
  const buckets = new Buckets("one");
  buckets.settle(permitOf(buckets.reserve("core", "interactive", START)), told(99, RESET), START);
  let before = permitOf(buckets.reserve("core", "interactive", START));
  for (let i = 0; i < 10_000; i++) {
    const next = permitOf(buckets.reserve("core", "interactive", START));
    buckets.settle(before, told(99, RESET, { outcome: "free" }), START);
    before = next;
  }
  assert.ok((buckets.view(START).buckets[0]?.remaining ?? 0) >= 96);
});

test("people go before background work: it leaves them a fifth", () => {
  const buckets = new Buckets("one");
  buckets.settle(permitOf(buckets.reserve("core", "interactive", START)), told(21, RESET), START);
  permitOf(buckets.reserve("core", "background", START));
  const refused = refusalOf(buckets.reserve("core", "background", START));
  assert.deepEqual(refused, { kind: "primary", until: RESET * 1000, resetAt: RESET * 1000 });
  for (let i = 0; i < 20; i++) permitOf(buckets.reserve("core", "interactive", START));
  refusalOf(buckets.reserve("core", "interactive", START));
});

test("a window that is over is full again; an answer of the old one that comes late changes nothing", () => {
  const buckets = new Buckets("one");
  buckets.settle(permitOf(buckets.reserve("core", "interactive", START)), told(0, RESET), START);
  const early = RESET * 1000 - 1;
  assert.equal(refusalOf(buckets.reserve("core", "interactive", early)).until, early + 1000);
  const after = RESET * 1000;
  const late = permitOf(buckets.reserve("core", "interactive", after));
  buckets.settle(late, told(0, RESET), after);
  assert.equal(buckets.view(after).buckets[0]?.remaining, 99);
});

test("GitHub's clock counts: ten minutes before or after ours, the window ends when GitHub says", () => {
  for (const skewMs of [-600_000, 600_000]) {
    const buckets = new Buckets("one");
    const hostNow = START + skewMs;
    const reset = hostNow / 1000 + 60;
    buckets.settle(
      permitOf(buckets.reserve("core", "interactive", START)),
      told(0, reset, { date: hostNow }),
      START,
    );
    const refused = refusalOf(buckets.reserve("core", "interactive", START + 59_000));
    assert.equal(refused.until, START + 60_000);
    assert.equal(refused.resetAt, reset * 1000, "told as GitHub tells it");
    permitOf(buckets.reserve("core", "interactive", START + 60_000));
  }
});

test("a date cut to seconds is no difference of clocks", () => {
  const buckets = new Buckets("one");
  const now = START + 999;
  buckets.settle(permitOf(buckets.reserve("core", "interactive", now)), told(5, RESET, { date: START }), now);
  assert.equal(buckets.view(now).skewMs, 0);
});

test("secondary limits: retry-after first, else a minute that doubles, counted once for what was under way", () => {
  const buckets = new Buckets("one");
  const strike = (now: number, retryAfter: number | null) => {
    const [one, two] = [1, 2].map(() => permitOf(buckets.reserve("core", "interactive", now)));
    assert.ok(one && two);
    const refused = told(90, RESET, { outcome: "secondary", retryAfter });
    const first = buckets.settle(one, refused, now);
    buckets.settle(two, refused, now);
    const wait = refusalOf(buckets.reserve("search", "interactive", now)).until - now;
    assert.equal(first?.until, now + wait);
    return wait / 1000;
  };
  let now = START;
  assert.equal(strike(now, 7), 7);
  now += 7000;
  const waits = [60, 120, 240, 480, 960, 1920, 3600, 3600];
  for (const expected of waits) {
    assert.equal(strike(now, null), expected);
    now += expected * 1000;
  }
  buckets.settle(permitOf(buckets.reserve("core", "interactive", now)), told(90, now / 1000 + 60), now);
  assert.equal(strike(now, null), 60, "a success ends the row");
});

test("while nothing is known, no more than the smallest limit there is are under way", () => {
  const buckets = new Buckets("one");
  for (let i = 0; i < 50; i++) permitOf(buckets.reserve("core", "interactive", START));
  refusalOf(buckets.reserve("core", "interactive", START));
  permitOf(buckets.reserve("search", "interactive", START));
});

test("what was never settled counts as sent, and does not stand in the way for ever", () => {
  const buckets = new Buckets("one");
  buckets.settle(permitOf(buckets.reserve("core", "interactive", START)), told(10, RESET), START);
  for (let i = 0; i < 5; i++) permitOf(buckets.reserve("core", "interactive", START));
  buckets.settle(permitOf(buckets.reserve("core", "interactive", START)), LOST, START);
  const later = START + 121_000;
  assert.deepEqual(buckets.view(later), {
    buckets: [{ resource: "core", limit: 100, remaining: 4, resetAt: RESET * 1000 }],
    underWay: 0,
    blockedUntil: null,
    skewMs: 0,
  });
});

test("a restart keeps the count; permits of before only lower it", () => {
  const before = new Buckets("one");
  before.settle(permitOf(before.reserve("core", "interactive", START)), told(50, RESET), START);
  const open = permitOf(before.reserve("core", "interactive", START));
  const after = new Buckets("two", structuredClone(before.state));
  after.settle(open, told(48, RESET), START);
  assert.equal(after.view(START).buckets[0]?.remaining, 48);
  after.settle(open, told(90, RESET), START);
  assert.equal(after.view(START).buckets[0]?.remaining, 48);
});

test("the bucket that GitHub names is the one that is counted", () => {
  const buckets = new Buckets("one");
  const permit = permitOf(buckets.reserve("search", "interactive", START));
  buckets.settle(
    permit,
    { ...told(8, RESET), bucket: { resource: "code_search", limit: 10, remaining: 8, reset: RESET } },
    START,
  );
  assert.deepEqual(
    buckets.view(START).buckets.map(({ resource, remaining }) => [resource, remaining]),
    [["code_search", 8]],
  );
});
