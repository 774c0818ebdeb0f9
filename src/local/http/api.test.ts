import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GitRepository } from "../../../test/repositories/git.ts";
import { type LocalHostOptions, startLocalHost } from "../host.ts";
import { type GithubError, parsed, type Reply, send } from "../testing/client.ts";
import { errorOf, ID, type Served, serve } from "../testing/served.ts";

let repository: GitRepository;
let served: Served;
let sha: string;

before(async () => {
  repository = new GitRepository();
  sha = repository.write("a.txt", "a\n").commit("one");
  served = await serve(repository.path);
});

after(async () => {
  await served.host.close();
  repository.remove();
});

async function withHost<T>(options: Partial<LocalHostOptions>, run: (own: Served) => Promise<T>): Promise<T> {
  const own = await serve(repository.path, options);
  try {
    return await run(own);
  } finally {
    await own.host.close();
  }
}

const REPOSITORY_DOCS = "https://docs.github.com/rest/repos/repos#get-a-repository";
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

test("headers every answer carries", async () => {
  for (const path of ["", "/git/ref/heads/nope"]) {
    const { headers } = await served.get(path, bearer("t"));
    assert.match(String(headers["x-github-request-id"]), /^[0-9A-F]{4}(:[0-9A-F]+){4}$/);
    assert.equal(headers["x-github-media-type"], "github.v3; format=json");
    assert.equal(headers["x-github-api-version-selected"], "2022-11-28");
    assert.equal(headers["content-type"], "application/json; charset=utf-8");
    assert.equal(headers["x-ratelimit-resource"], "core");
    assert.match(String(headers.vary), /^Accept, Authorization, Cookie, X-GitHub-OTP/);
  }
  const found = await served.get("", bearer("t"));
  assert.equal(found.headers["cache-control"], "private, max-age=60, s-maxage=60");
  assert.equal((await served.get("")).headers["cache-control"], "public, max-age=60, s-maxage=60");
  const commit = await served.get(`/git/commits/${sha}`);
  assert.equal(commit.headers["cache-control"], "public, max-age=86400, s-maxage=86400");
});

test("HEAD is GET without a body", async () => {
  const get = await served.get("/git/ref/heads/main");
  const head = await served.ask("/repos/octo/demo/git/ref/heads/main", { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.body.length, 0);
  assert.equal(head.headers["content-length"], get.headers["content-length"]);
  assert.equal(head.headers.etag, get.headers.etag);
});

test("API versions: an unknown one is 400", async () => {
  const newer = await served.get("", { "x-github-api-version": "2026-03-10" });
  assert.equal(newer.headers["x-github-api-version-selected"], "2026-03-10");
  const unknown = await served.get("", { "x-github-api-version": "v3" });
  assert.deepEqual(errorOf(unknown), [
    400,
    'The version you specified in the "X-GitHub-API-Version" request header, "v3", is not a supported version. The following versions are currently supported: "2026-03-10" (most recent), "2022-11-28".',
  ]);
  assert.equal(unknown.headers["x-github-api-version-selected"], undefined);
});

test("no User-Agent is 403, as text", async () => {
  const reply = await served.get("", { "user-agent": "" });
  assert.equal(reply.status, 403);
  assert.match(reply.body.toString(), /^Request forbidden by administrative rules\./);
});

test("another host name than a loopback one is not served", async () => {
  const reply = await served.get("", { host: "attacker.example" });
  assert.equal(reply.status, 421);
  assert.equal((await served.get("", { host: `localhost:${served.host.port}` })).status, 200);
});

test("web pages are not served", async () => {
  assert.equal((await served.get("", { origin: "https://example.com" })).status, 403);
  assert.equal((await served.get("", { origin: "null" })).status, 403);
});

test("unknown paths, methods and repositories are 404", async () => {
  const unknown = await served.ask("/nope");
  assert.deepEqual(parsed<GithubError>(unknown), {
    message: "Not Found",
    documentation_url: "https://docs.github.com/rest",
    status: "404",
  });
  assert.equal((await served.ask("/repos/octo/demo", { method: "DELETE" })).status, 404);
  assert.equal((await served.get("/")).status, 404);
  for (const path of ["/repos/octo/none", "/repositories/1", "/repositories/abc", "/repos/octo/%ff"]) {
    const reply = await served.ask(path);
    assert.deepEqual(parsed<GithubError>(reply), {
      message: "Not Found",
      documentation_url: REPOSITORY_DOCS,
      status: "404",
    });
  }
});

test("every route answers alike under the id, and names have no case", async () => {
  const paths = [
    "",
    "/commits/main",
    "/git/trees/main",
    "/contents/a.txt",
    "/branches",
    "/git/matching-refs/",
  ];
  for (const path of paths) {
    const byName = await served.ask(`/repos/OCTO/Demo${path}`);
    const byId = await served.ask(`/repositories/${ID}${path}`);
    assert.equal(byName.status, 200, path);
    assert.deepEqual(byId.body, byName.body, path);
  }
  const shape = parsed<{ full_name: string; id: number }>(await served.ask("/repos/OCTO/Demo"));
  assert.deepEqual([shape.full_name, shape.id], ["octo/demo", ID]);
});

test("a renamed repository: 301 to its id with what follows, 307 for other methods", async () => {
  const host = await startLocalHost({
    repositories: [
      { owner: "octo", name: "demo", path: repository.path, id: ID, formerNames: ["octo/Older"] },
    ],
  });
  const ask = (path: string, method = "GET"): Promise<Reply> => send(host.url, path, { method });
  try {
    const old = await ask("/repos/octo/older/contents/a%20b.txt?ref=x%2Fy");
    const location = `${host.url}/repositories/${ID}/contents/a%20b.txt?ref=x%2Fy`;
    assert.equal(old.status, 301);
    assert.equal(old.headers.location, location);
    assert.deepEqual(parsed<GithubError>(old), {
      message: "Moved Permanently",
      url: location,
      documentation_url: "https://docs.github.com/v3/#http-redirects",
      status: "301",
    });
    host.rename("octo/demo", "other/new");
    const moved = await ask("/repos/octo/demo");
    assert.deepEqual([moved.status, moved.headers.location], [301, `${host.url}/repositories/${ID}`]);
    assert.equal((await ask("/repos/octo/older")).status, 301);
    const now = await ask("/repos/other/new");
    assert.equal(parsed<{ full_name: string }>(now).full_name, "other/new");
    host.remove("other/new");
    assert.equal((await ask("/repos/octo/demo")).status, 404);
    assert.equal((await ask(`/repositories/${ID}`)).status, 404);
  } finally {
    await host.close();
  }
});

test("tokens: an unknown or revoked one is 401, under every scheme", async () => {
  await withHost({ tokens: ["good"] }, async ({ get, host }) => {
    const basic = (token: string): string => `Basic ${Buffer.from(`x:${token}`).toString("base64")}`;
    for (const authorization of ["Bearer good", "token good", basic("good")]) {
      assert.equal((await get("", { authorization })).status, 200, authorization);
    }
    assert.equal((await get("")).status, 200);
    for (const authorization of ["Bearer bad", "good", basic("bad"), "Digest good"]) {
      const reply = await get("", { authorization });
      assert.deepEqual(parsed<GithubError>(reply), {
        message: "Bad credentials",
        documentation_url: "https://docs.github.com/rest",
        status: "401",
      });
    }
    host.allowToken("next");
    host.revokeToken("good");
    assert.deepEqual(
      [(await get("", bearer("good"))).status, (await get("", bearer("next"))).status],
      [401, 200],
    );
  });
  await withHost({ requireToken: true }, async ({ get }) => {
    assert.deepEqual(errorOf(await get("")), [401, "Requires authentication"]);
    assert.equal((await get("", bearer("any"))).status, 200);
  });
});

test("a private repository is as good as missing without a token that opens it", async () => {
  const entry = { owner: "octo", name: "demo", path: repository.path, id: ID, private: true };
  const tokens = [
    "all",
    { value: "this", repositories: ["Octo/Demo"] },
    { value: "other", repositories: [] },
  ];
  await withHost({ tokens, repositories: [entry] }, async ({ get, ask }) => {
    for (const headers of [{}, bearer("other")]) {
      const reply = await get("", headers);
      assert.deepEqual(errorOf(reply), [404, "Not Found"]);
      assert.equal((await ask(`/repositories/${ID}/git/ref/heads/main`, { headers })).status, 404);
    }
    for (const token of ["all", "this"]) assert.equal((await get("", bearer(token))).status, 200);
  });
});

test("conditional requests: a 304 keeps headers, is free with a token, and another token's ETag does not fit", async () => {
  await withHost({ rateLimit: { limit: 100 } }, async ({ get }) => {
    for (const [headers, cost] of [
      [bearer("t"), 0],
      [{}, 1],
    ] as const) {
      const first = await get("/branches", headers);
      const etag = String(first.headers.etag);
      assert.match(etag, /^W\/"[0-9a-f]{64}"$/);
      const again = await get("/branches", { ...headers, "if-none-match": etag });
      assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag]);
      const spent =
        Number(first.headers["x-ratelimit-remaining"]) - Number(again.headers["x-ratelimit-remaining"]);
      assert.equal(spent, cost);
    }
    const { etag } = (await get("/branches", bearer("t"))).headers;
    const rotated = await get("/branches", { ...bearer("u"), "if-none-match": String(etag) });
    assert.equal(rotated.status, 200);
    const asRaw = { ...bearer("t"), accept: "application/vnd.github+json", "if-none-match": String(etag) };
    assert.equal((await get("/branches", asRaw)).status, 200);
  });
});

test("the primary limit: counted for each caller, refused in GitHub's words, renewed in time", async () => {
  let now = Date.UTC(2026, 4, 2, 7, 12, 28);
  const rateLimit = { limit: 60, remaining: 2, resetSeconds: 600 };
  await withHost({ rateLimit, now: () => now }, async ({ get, ask, host }) => {
    const reset = String(now / 1000 + 600);
    const first = await get("");
    const limits = (reply: Reply): unknown[] =>
      ["limit", "remaining", "used", "reset"].map((name) => reply.headers[`x-ratelimit-${name}`]);
    assert.deepEqual(limits(first), ["60", "1", "59", reset]);
    await get("");
    const refused = await get("");
    assert.deepEqual(limits(refused), ["60", "0", "60", reset]);
    assert.deepEqual(errorOf(refused), [
      403,
      "API rate limit exceeded for 127.0.0.1. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)",
    ]);
    const free = await ask("/rate_limit");
    assert.equal(free.status, 200);
    assert.equal(parsed<{ rate: { remaining: number } }>(free).rate.remaining, 0);
    assert.equal((await get("", bearer("t"))).status, 200);
    await get("", bearer("t"));
    const [status, message] = errorOf(await get("", bearer("t")));
    assert.equal(status, 403);
    assert.match(
      message,
      /^API rate limit exceeded for user ID 1\. .* request ID [0-9A-F:]+ and timestamp 2026-05-02 07:12:28 UTC\.$/,
    );
    now += 600_000;
    assert.deepEqual(limits(await get("")).slice(0, 3), ["60", "59", "1"]);
    host.setRateLimit({ limit: 10, remaining: 0, status: 429 });
    assert.equal((await get("")).status, 429);
  });
});

test("requests are recorded with the names of their headers, never their values", async () => {
  await withHost({}, async ({ get, host }) => {
    await get("/branches?per_page=1", bearer("secret"));
    assert.deepEqual(host.requests, [
      {
        method: "GET",
        path: "/repos/octo/demo/branches?per_page=1",
        status: 200,
        headers: ["authorization", "user-agent", "host", "connection"],
        authorization: true,
        fields: [],
        fault: null,
      },
    ]);
    assert.ok(!JSON.stringify(host.requests).includes("secret"));
  });
});
