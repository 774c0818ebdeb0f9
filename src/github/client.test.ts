/** The client against a fake fetch: what is sent where, what is repeated, which redirects are followed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../errors.ts";
import { newLedger } from "../ports/ledger.ts";
import { repositoryEntry } from "../schema/registry.ts";
import type { Asking } from "./asking.ts";
import { localBudgets } from "./budget/budget.ts";
import { createClient } from "./client.ts";
import { fixedCredentials } from "./credentials/credentials.ts";
import type { ClientOptions } from "./sending.ts";

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  redirect: string | undefined;
}

const json = (body: unknown, init: ResponseInit = {}) =>
  Response.json(body, { ...init, headers: { etag: 'W/"e"', ...init.headers } });

/** A client whose requests are answered in turn; the last answer stands for all further ones. */
function clientOf(answers: (() => Response | Promise<Response>)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fake: typeof fetch = async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    sent.push({ url: String(input), method: init?.method ?? "GET", headers, redirect: init?.redirect });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    assert.ok(answer);
    return answer();
  };
  const client = createClient({
    apiUrl: "https://ghe.example/api/v3",
    credentials: fixedCredentials("ghs_secret"),
    budgets: localBudgets({ now: () => 0 }),
    fetch: fake,
    timeoutMs: 1000,
    userAgent: "gitpin-test",
    repeatAfterMs: 0,
    ...options,
  });
  return { client, sent };
}

/** A call of its own. */
const asked = (ledger = newLedger()): Asking => ({
  entry: repositoryEntry.parse({ name: "a", owner: "a", repo: "b" }),
  ledger,
  background: { keepAlive: () => undefined },
  priority: "interactive",
});

const moved =
  (location: string, status = 301) =>
  () =>
    new Response(null, { status, headers: { location } });

const failing = (code: string) => (error: unknown) => {
  assert.ok(error instanceof GitpinError, String(error));
  assert.equal(error.code, code);
  assert.ok(!JSON.stringify(error.report()).includes("ghs_secret"));
  assert.equal(error.cause, undefined, "no octokit error rides along");
  return true;
};

test("what is sent: address, credential, version, agent; nothing follows redirects by itself", async () => {
  const { client, sent } = clientOf([() => json({})]);
  const ledger = newLedger();
  const answer = await client.get(
    { path: "/repositories/1/commits/heads%2Fa%3Ab?per_page=1", what: "x" },
    asked(ledger),
  );
  assert.equal(answer.status, 200);
  assert.deepEqual(sent, [
    {
      url: "https://ghe.example/api/v3/repositories/1/commits/heads%2Fa%3Ab?per_page=1",
      method: "GET",
      headers: {
        accept: "application/vnd.github+json",
        authorization: "token ghs_secret",
        "user-agent": "gitpin-test",
        "x-github-api-version": "2022-11-28",
      },
      redirect: "manual",
    },
  ]);
  assert.equal(ledger.upstreamRequests, 1);
});

test("without a token, no credential is sent", async () => {
  const { client, sent } = clientOf([() => json({})], { credentials: fixedCredentials(null) });
  await client.get({ path: "/x", what: "x", etag: 'W/"e"' }, asked());
  assert.equal(sent[0]?.headers.authorization, undefined);
  assert.equal(sent[0]?.headers["if-none-match"], 'W/"e"');
});

test("a redirect within the API is followed, with its query, the credential and the condition", async () => {
  const targets = [
    "https://ghe.example/api/v3/repositories/1000?per_page=1",
    "/api/v3/repositories/1000?per_page=1",
  ];
  for (const location of targets) {
    for (const status of [301, 302, 307, 308]) {
      const { client, sent } = clientOf([moved(location, status), () => json({ id: 1000 })]);
      const ledger = newLedger();
      const answer = await client.get({ path: "/repos/a/b", what: "x", etag: '"e"' }, asked(ledger));
      assert.equal(answer.status, 200);
      assert.equal(sent[1]?.url, "https://ghe.example/api/v3/repositories/1000?per_page=1");
      assert.equal(sent[1]?.headers.authorization, "token ghs_secret");
      assert.equal(sent[1]?.headers["if-none-match"], '"e"');
      assert.equal(ledger.upstreamRequests, 2);
    }
  }
});

test("a redirect to any other place is refused before anything is sent there", async () => {
  const places = [
    "https://evil.example/api/v3/repositories/1",
    "http://ghe.example/api/v3/repositories/1",
    "https://ghe.example:8443/api/v3/repositories/1",
    "https://ghe.example/login",
    "https://ghe.example/api/v3evil/x",
    "https://ghe.example/api/v3/../../login",
    "https://ghe.example/api/v3/%2e%2e/%2e%2e/login",
    "https://user:secret@ghe.example/api/v3/repositories/1",
    "//evil.example/api/v3/x",
    "file:///etc/passwd",
    "https://",
  ];
  for (const location of places) {
    const { client, sent } = clientOf([moved(location), () => json({})]);
    await assert.rejects(
      client.get({ path: "/repos/a/b", what: "x" }, asked()),
      failing("upstream_unexpected"),
    );
    assert.equal(sent.length, 1, location);
  }
  const { client } = clientOf([() => new Response(null, { status: 301 })]);
  await assert.rejects(
    client.get({ path: "/repos/a/b", what: "x" }, asked()),
    failing("upstream_unexpected"),
  );
});

test("a repository's numeric address never leads to another repository", async () => {
  for (const location of [
    "/api/v3/repositories/2/commits/main",
    "/api/v3/repos/a/b",
    "/api/v3/repositories/12",
  ]) {
    const { client, sent } = clientOf([moved(location), () => json({})]);
    const answered = client.get({ path: "/repositories/1/commits/main", what: "x" }, asked());
    await assert.rejects(answered, failing("upstream_unexpected"));
    assert.equal(sent.length, 1, location);
  }
  const within = clientOf([moved("/api/v3/repositories/1/other"), () => json({})]);
  assert.equal(
    (await within.client.get({ path: "/repositories/1/commits/main", what: "x" }, asked())).status,
    200,
  );
});

test("redirects come to an end", async () => {
  const { client, sent } = clientOf([moved("/api/v3/repos/a/b")]);
  await assert.rejects(
    client.get({ path: "/repos/a/b", what: "x" }, asked()),
    failing("upstream_unexpected"),
  );
  assert.equal(sent.length, 4);
});

test("braces and colons of a redirect are text, not octokit's variables", async () => {
  const { client, sent } = clientOf([moved("/api/v3/repos/a/:owner{x}"), () => json({})]);
  await client.get({ path: "/repos/a/b", what: "x" }, asked());
  assert.equal(sent[1]?.url, "https://ghe.example/api/v3/repos/a/%3Aowner%7Bx%7D");
});

test("repeats: after a 5xx or a broken connection, twice at most; never after a 4xx", async () => {
  const broken = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("at 10.0.0.1") }));
  for (const answer of [
    () => new Response("x", { status: 500 }),
    () => new Response("x", { status: 504 }),
    broken,
  ]) {
    const { client, sent } = clientOf([answer]);
    await assert.rejects(client.get({ path: "/x", what: "x" }, asked()), failing("upstream_unavailable"));
    assert.equal(sent.length, 3);
  }
  for (let status = 400; status < 500; status++) {
    if ([404, 409, 422].includes(status)) continue;
    const { client, sent } = clientOf([() => new Response("x", { status })]);
    await assert.rejects(client.get({ path: "/x", what: "x" }, asked()));
    assert.equal(sent.length, 1, String(status));
  }
  for (const status of [404, 409, 422]) {
    const { client, sent } = clientOf([() => json({ message: "No" }, { status })]);
    assert.deepEqual(await client.get({ path: "/x", what: "x" }, asked()), { status, message: "No" });
    assert.equal(sent.length, 1, String(status));
  }
});

test("a network failure tells its kind, not its text", async () => {
  const refused = Object.assign(new Error("connect to secret-host"), { code: "ECONNREFUSED" });
  const { client } = clientOf([() => Promise.reject(new TypeError("fetch failed", { cause: refused }))]);
  await assert.rejects(client.get({ path: "/x", what: "x" }, asked()), (error) => {
    assert.ok(error instanceof GitpinError);
    assert.equal(error.data.reason, "ECONNREFUSED");
    assert.ok(!JSON.stringify(error.report()).includes("secret-host"));
    return true;
  });
});

test("a fetch that hears no signal, and a body that never ends, come to an end", async () => {
  const deaf = clientOf([() => new Promise<Response>(() => undefined)], { timeoutMs: 20 });
  await assert.rejects(deaf.client.get({ path: "/x", what: "x" }, asked()), failing("upstream_timeout"));
  assert.equal(deaf.sent.length, 1);
  const endless = () =>
    new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }));
  const slow = clientOf([endless], { timeoutMs: 20 });
  await assert.rejects(slow.client.get({ path: "/x", what: "x" }, asked()), failing("upstream_timeout"));
});

test("a body is read up to its bound, whether its length is announced or not", async () => {
  const excess = () => new GitpinError("blob_too_large", "too large", "");
  const chunked = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      }),
    );
  for (const answer of [chunked, () => new Response(new Uint8Array(2001))]) {
    const { client, sent } = clientOf([answer]);
    const answered = client.get({ path: "/x", what: "x", maxBytes: 2000, excess }, asked());
    await assert.rejects(answered, failing("blob_too_large"));
    assert.equal(sent.length, 1);
  }
  const { client } = clientOf([() => new Response(new Uint8Array(2000))]);
  const answer = await client.get({ path: "/x", what: "x", maxBytes: 2000, excess }, asked());
  assert.ok(answer.status === 200 && answer.bytes.byteLength === 2000);
});

test("403 too_large is the size, not a denial", async () => {
  const excess = () => new GitpinError("blob_too_large", "too large", "");
  const tooLarge = {
    message: "This API returns blobs up to 100 MB in size.",
    errors: [{ code: "too_large" }],
  };
  const { client } = clientOf([() => json(tooLarge, { status: 403 })]);
  await assert.rejects(client.get({ path: "/x", what: "x", excess }, asked()), failing("blob_too_large"));
});

test("limits: GitHub's order of waiting", async () => {
  const cases: [number, Record<string, string>, string, number | null][] = [
    [
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "90" },
      "API rate limit exceeded for user ID 1.",
      90,
    ],
    [429, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "90" }, "", 90],
    [403, { "retry-after": "7", "x-ratelimit-remaining": "4000" }, "", 7],
    [403, { "retry-after": "7", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "90" }, "", 7],
    [
      403,
      { "x-ratelimit-remaining": "10", "x-ratelimit-reset": "9" },
      "exceeded a secondary rate limit.",
      60,
    ],
    [403, {}, "You have triggered an abuse detection mechanism.", 60],
    [429, {}, "Too Many Requests", 60],
    [403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "0" }, "API rate limit exceeded", 1],
    [403, { "x-ratelimit-remaining": "10" }, "Resource not accessible by integration", null],
  ];
  for (const [status, headers, message, wait] of cases) {
    const { client, sent } = clientOf([() => json({ message }, { status, headers })]);
    const ask = () => client.get({ path: "/x", what: "x" }, asked());
    await assert.rejects(ask(), failing(wait === null ? "upstream_forbidden" : "upstream_rate_limited"));
    await assert.rejects(ask(), (error) => {
      assert.ok(error instanceof GitpinError);
      assert.equal(error.data.retryAfterSeconds ?? null, wait, message);
      return true;
    });
    assert.equal(sent.length, wait === null ? 2 : 1, "no request while limited");
  }
});

test("a primary limit of search leaves the rest open; a secondary one shuts all", async () => {
  const primary = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "90" };
  const { client } = clientOf([
    () => json({ message: "API rate limit exceeded" }, { status: 403, headers: primary }),
    () => json({}),
    () => json({ message: "secondary rate limit" }, { status: 403, headers: { "retry-after": "5" } }),
  ]);
  const search = () => client.get({ path: "/search/code", what: "x", resource: "search" }, asked());
  const core = () => client.get({ path: "/x", what: "x" }, asked());
  await assert.rejects(search(), failing("upstream_rate_limited"));
  assert.equal((await core()).status, 200);
  await assert.rejects(core(), failing("upstream_rate_limited"));
  await assert.rejects(core(), failing("upstream_rate_limited"));
});

test("304 is counted", async () => {
  const { client } = clientOf([() => new Response(null, { status: 304, headers: { etag: '"e"' } })]);
  const ledger = newLedger();
  assert.deepEqual(await client.get({ path: "/x", what: "x", etag: '"e"' }, asked(ledger)), { status: 304 });
  assert.deepEqual([ledger.upstreamRequests, ledger.notModified], [1, 1]);
});
