/** What `/readyz` says of GitHub: by its answers, its silence and its limits, asked seldom. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetsBy, LocalBudget } from "./budget/budget.ts";
import { type HostStandingOptions, hostStanding } from "./host-standing.ts";

const background = { keepAlive: () => undefined };
const limits = (remaining: number) => () => Response.json({ resources: { core: { remaining } } });

function standingOf(answer: () => Response | Promise<Response>, options: Partial<HostStandingOptions> = {}) {
  const sent: { url: string; authorization: string | null }[] = [];
  const clock = { ms: 1_000_000, now: () => clock.ms };
  const check = hostStanding({
    apiUrl: "https://ghe.example/api/v3",
    token: "ghs_secret",
    fetch: async (input, init) => {
      sent.push({ url: String(input), authorization: new Headers(init?.headers).get("authorization") });
      return await answer();
    },
    userAgent: "gitpin-test",
    budgets: budgetsBy(() => new LocalBudget(clock)),
    clock,
    ...options,
  });
  const said = async () => {
    const { github, budget } = await check(background);
    return [github, budget];
  };
  return { said, check, sent, clock };
}

test("one free request, with our token, to the API", async () => {
  const { said, sent } = standingOf(limits(10));
  assert.deepEqual(await said(), ["ok", "ok"]);
  assert.deepEqual(sent, [
    { url: "https://ghe.example/api/v3/rate_limit", authorization: "token ghs_secret" },
  ]);
});

test("asked again only when the answer is five seconds old, and once for all who ask together", async () => {
  const { check, sent, clock } = standingOf(limits(10));
  await Promise.all(Array.from({ length: 50 }, () => check(background)));
  clock.ms += 4999;
  const before = await check(background);
  assert.equal(before.checkedAt, "1970-01-01T00:16:40.000Z");
  assert.equal(sent.length, 1);
  clock.ms += 1;
  await Promise.all(Array.from({ length: 50 }, () => check(background)));
  assert.equal(sent.length, 2);
});

test("a failure is remembered as long", async () => {
  const { said, sent } = standingOf(() => Promise.reject(new TypeError("no route")));
  assert.deepEqual(await said(), ["unreachable", "unknown"]);
  assert.deepEqual(await said(), ["unreachable", "unknown"]);
  assert.equal(sent.length, 1);
});

const ANSWERS: Record<string, [() => Response, string, string]> = {
  "no request left": [limits(0), "ok", "spent"],
  "5xx": [() => new Response("Unicorn", { status: 502 }), "unreachable", "unknown"],
  "our token is refused": [() => new Response("{}", { status: 401 }), "unauthorized", "unknown"],
  "a server without limits": [() => new Response("{}", { status: 404 }), "ok", "ok"],
  "a secondary limit": [() => new Response("{}", { status: 403 }), "ok", "unknown"],
  "no JSON": [() => new Response("<html>"), "ok", "unknown"],
  "another form": [() => Response.json({ resources: [] }), "ok", "unknown"],
  "far too much": [() => new Response("x".repeat(70_000)), "unreachable", "unknown"],
};
for (const [what, [answer, github, budget]] of Object.entries(ANSWERS)) {
  test(`${what}: ${github}, budget ${budget}`, async () => {
    assert.deepEqual(await standingOf(answer).said(), [github, budget]);
  });
}

test("an App's budgets are those of its installations: spent when every one of them is", async () => {
  const clock = { now: () => 1_000_000 };
  const budgets = budgetsBy(() => new LocalBudget(clock));
  const { said, sent, clock: mine } = standingOf(limits(0), { budgets, token: null });
  const spend = async (holder: string): Promise<void> => {
    const budget = budgets.of(holder);
    const bucket = { resource: "core" as const, limit: 5000, remaining: 0, reset: 9_000_000 };
    budget.settle(
      await budget.reserve("core", "interactive"),
      { bucket, date: null, outcome: "spent", retryAfter: null },
      () => undefined,
    );
  };
  await spend("installation:1");
  budgets.of("installation:2");
  assert.deepEqual(await said(), ["ok", "ok"]);
  await spend("installation:2");
  mine.ms += 5000;
  assert.deepEqual(await said(), ["ok", "spent"]);
  assert.deepEqual([...new Set(sent.map(({ authorization }) => authorization))], [null]);
});
