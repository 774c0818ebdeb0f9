// Who may write where: read-only hosts, nobody, tokens and installations with less, archives, workflows, renames, limits.
import assert from "node:assert/strict";
import { createSign, generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import { GitRepository } from "../../../test/repositories/git.ts";
import { type LocalApp, type LocalHostOptions, startLocalHost } from "../host.ts";
import { parsed, type Reply, send } from "../testing/client.ts";
import { errorOf, type Served, serve } from "../testing/served.ts";

const BLOB = { content: "x" };
const ADDED = { path: ".github/workflows/x.yml", mode: "100644", content: "on: push\n" };
const accepted = (reply: Reply) => reply.headers["x-accepted-github-permissions"];

let repository: GitRepository;
let head: string;

before(() => {
  repository = new GitRepository();
  head = repository.write("a.txt", "a\n").commit("one");
});

after(() => repository.remove());

async function withHost(
  options: Partial<LocalHostOptions>,
  run: (own: Served) => Promise<void>,
): Promise<void> {
  const own = await serve(repository.path, { writable: true, ...options });
  try {
    await run(own);
  } finally {
    await own.host.close();
  }
}

const pushOf = async (own: Served, token: string): Promise<boolean | undefined> => {
  const shown = await own.json<{ permissions?: { push: boolean } }>("", { authorization: `Bearer ${token}` });
  return shown.permissions?.push;
};

test("a host that is not said to be writable takes nothing from anybody", async () => {
  await withHost({ writable: false }, async (own) => {
    const refs = repository.git("for-each-ref");
    const asked: [string, string, unknown][] = [
      ["POST", "/git/blobs", BLOB],
      ["POST", "/git/refs", { ref: "refs/heads/x", sha: head }],
      ["PATCH", "/git/refs/heads/main", { sha: head, force: true }],
      ["DELETE", "/git/refs/heads/main", undefined],
      ["PUT", "/contents/x", { message: "m", content: "" }],
      ["POST", "/pulls", {}],
    ];
    for (const [method, path, body] of asked) {
      const reply = await own.put(method, path, body);
      assert.deepEqual(errorOf(reply), [403, "This host serves its repositories for reading only."], path);
    }
    assert.equal(repository.git("for-each-ref"), refs);
    assert.equal(await pushOf(own, "t"), false);
  });
});

test("nobody writes; a token with less is told what it takes", async () => {
  const tokens = [
    "t",
    { value: "reads", permissions: { contents: "read" } },
    { value: "elsewhere", repositories: ["octo/other"] },
  ];
  await withHost({ tokens }, async (own) => {
    const anonymous = await own.ask("/repos/octo/demo/git/blobs", { method: "POST", body: BLOB });
    assert.deepEqual(errorOf(anonymous), [401, "Requires authentication"]);
    for (const token of ["reads", "elsewhere"]) {
      const reply = await own.put("POST", "/git/blobs", BLOB, token);
      assert.deepEqual(errorOf(reply), [403, "Resource not accessible by personal access token"]);
      assert.equal(accepted(reply), "contents=write");
      assert.equal(await pushOf(own, token), false);
    }
    assert.equal((await own.put("POST", "/git/blobs", BLOB)).status, 201);
    assert.equal(await pushOf(own, "t"), true);
    assert.deepEqual(errorOf(await own.put("POST", "/git/blobs", BLOB, "unknown")), [401, "Bad credentials"]);
  });
});

test("an archive is read-only", async () => {
  const repositories = [{ owner: "octo", name: "demo", path: repository.path, archived: true }];
  await withHost({ repositories }, async (own) => {
    const reply = await own.put("POST", "/git/refs", { ref: "refs/heads/x", sha: head });
    assert.deepEqual(errorOf(reply), [403, "Repository was archived so is read-only."]);
    assert.equal((await own.get("/git/ref/heads/main")).status, 200);
  });
});

test("workflow files need the permission of their own, by whatever way they come in", async () => {
  const tokens = ["t", { value: "writes", permissions: { contents: "write" } }];
  await withHost({ tokens }, async (own) => {
    const tree = await own.put("POST", "/git/trees", { base_tree: head, tree: [ADDED] }, "writes");
    assert.deepEqual(errorOf(tree), [403, "Resource not accessible by personal access token"]);
    assert.equal(accepted(tree), "contents=write; contents=write,workflows=write");
    const file = { message: "m", content: "" };
    const put = await own.put("PUT", "/contents/.github/workflows/x.yml", file, "writes");
    assert.equal(put.status, 403);
    const made = await own.made<{ sha: string }>("POST", "/git/trees", { base_tree: head, tree: [ADDED] });
    const body = { message: "m", tree: made.sha, parents: [head] };
    const commit = parsed<{ sha: string }>(await own.put("POST", "/git/commits", body, "writes"));
    const words =
      "refusing to allow a Personal Access Token to create or update workflow `.github/workflows/x.yml` without `workflow` scope";
    const move = { sha: commit.sha };
    assert.deepEqual(errorOf(await own.put("PATCH", "/git/refs/heads/main", move, "writes")), [422, words]);
    const create = { ref: "refs/heads/flow", sha: commit.sha };
    assert.deepEqual(errorOf(await own.put("POST", "/git/refs", create, "writes")), [422, words]);
    assert.equal((await own.put("POST", "/git/refs", create)).status, 201);
    assert.equal(
      (await own.put("POST", "/git/refs", { ref: "refs/heads/plain", sha: head }, "writes")).status,
      201,
    );
  });
});

test("a renamed repository is written to at its lasting address", async () => {
  await withHost({}, async (own) => {
    own.host.rename("octo/demo", "octo/renamed");
    const reply = await own.put("POST", "/git/blobs?x=1", BLOB);
    const location = `${own.host.url}/repositories/4711/git/blobs?x=1`;
    assert.equal(reply.status, 307);
    assert.equal(reply.headers.location, location);
    assert.deepEqual(parsed<{ message: string; url: string }>(reply).url, location);
    const headers = { authorization: "Bearer t" };
    const there = await send(own.host.url, "/repositories/4711/git/blobs", {
      method: "POST",
      headers,
      body: BLOB,
    });
    assert.equal(there.status, 201);
  });
});

test("the limit on content: so many writes a minute and an hour, reads left alone", async () => {
  const clock = { ms: Date.UTC(2026, 5, 1) };
  const contentLimit = { perMinute: 2, perHour: 3 };
  await withHost({ contentLimit, now: () => clock.ms }, async (own) => {
    const write = () => own.put("POST", "/git/blobs", BLOB);
    assert.deepEqual([(await write()).status, (await write()).status], [201, 201]);
    const limited = await write();
    assert.deepEqual(errorOf(limited), [
      403,
      "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.",
    ]);
    assert.equal(limited.headers["retry-after"], "60");
    assert.ok(Number(limited.headers["x-ratelimit-remaining"]) > 0);
    assert.equal((await own.get("/git/ref/heads/main")).status, 200);
    assert.equal((await own.put("POST", "/git/blobs", BLOB, "another")).status, 201);
    clock.ms += 60_000;
    assert.equal((await write()).status, 201);
    const hourly = await write();
    assert.deepEqual([hourly.status, hourly.headers["retry-after"]], [403, "3540"]);
    const { node_id: repositoryId } = await own.json<{ node_id: string }>("");
    const query = "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }";
    const variables = { input: { repositoryId, refUpdates: [] } };
    const headers = { authorization: "Bearer t" };
    const graphql = await own.ask("/graphql", { method: "POST", headers, body: { query, variables } });
    assert.deepEqual([graphql.status, graphql.headers["retry-after"]], [403, "3540"]);
  });
});

test("writes count against the primary limit; GraphQL against its own", async () => {
  await withHost({ rateLimit: { limit: 2 } }, async (own) => {
    const first = await own.put("POST", "/git/blobs", BLOB);
    assert.equal(first.headers["x-ratelimit-remaining"], "1");
    await own.put("POST", "/git/blobs", BLOB);
    const third = await own.put("POST", "/git/blobs", BLOB);
    assert.equal(third.status, 403);
    assert.match(errorOf(third)[1], /^API rate limit exceeded for user ID 1\./);
    const query = "{ rateLimit { limit remaining } }";
    assert.deepEqual(await own.graphql(query), { data: { rateLimit: { limit: 5000, remaining: 4999 } } });
  });
});

test("an installation writes what it is granted and its token was not narrowed from", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const installation = {
    id: 900,
    account: "octo",
    repositories: ["octo/demo"],
    permissions: { contents: "write", pull_requests: "write" },
  };
  const app: LocalApp = {
    id: 42,
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    installations: [installation],
  };
  const path = repository.path;
  const host = await startLocalHost({
    writable: true,
    apps: [app],
    repositories: [
      { owner: "octo", name: "demo", path, id: 1 },
      { owner: "octo", name: "public", path, id: 2 },
    ],
  });
  try {
    const now = Math.floor(Date.now() / 1000);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 30, exp: now + 500, iss: "42" })}`;
    const jwt = `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
    const post = (target: string, token: string, body: unknown) =>
      send(host.url, target, { method: "POST", headers: { authorization: `Bearer ${token}` }, body });
    const ask = (body: unknown) => post("/app/installations/900/access_tokens", jwt, body);
    const token = async (body: unknown): Promise<string> => parsed<{ token: string }>(await ask(body)).token;
    const blob = async (name: string, body: unknown) =>
      await post(`/repos/octo/${name}/git/blobs`, await token(body), BLOB);

    assert.equal((await blob("demo", {})).status, 201);
    assert.equal((await blob("demo", { permissions: { contents: "write", metadata: "read" } })).status, 201);
    const forbidden = [403, "Resource not accessible by integration"];
    assert.deepEqual(errorOf(await blob("demo", { permissions: { contents: "read" } })), forbidden);
    assert.deepEqual(errorOf(await blob("demo", { permissions: { pull_requests: "write" } })), forbidden);
    // A public repository is read by everybody, and written by those alone whom it is opened to.
    assert.deepEqual(errorOf(await blob("public", {})), forbidden);
    const excess = [422, "The permissions requested are not granted to this installation."];
    assert.deepEqual(errorOf(await ask({ permissions: { workflows: "write" } })), excess);
    assert.deepEqual(errorOf(await ask({ permissions: { contents: "admin" } })), excess);
    assert.equal((await ask({ repositories: ["public"] })).status, 422);

    const tree = await post("/repos/octo/demo/git/trees", await token({}), { tree: [ADDED] });
    assert.deepEqual(errorOf(tree), forbidden);
    const plain = [{ path: "x", mode: "100644", content: "x" }];
    const made = parsed<{ sha: string }>(
      await post("/repos/octo/demo/git/trees", await token({}), { tree: plain }),
    );
    const commit = await post("/repos/octo/demo/git/commits", await token({}), {
      message: "m",
      tree: made.sha,
    });
    const { author } = parsed<{ author: { name: string; email: string } }>(commit);
    assert.equal(author.name, "app-42[bot]");
    assert.match(author.email, /^\d+\+app-42\[bot\]@users\.noreply\.github\.com$/);
    installation.permissions = { contents: "read", pull_requests: "write" };
    assert.deepEqual(errorOf(await ask({ permissions: { contents: "write" } })), excess);
  } finally {
    await host.close();
  }
});
