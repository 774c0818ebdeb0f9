/** Answers of the local host, route by route, against GitHub's own OpenAPI description. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { send } from "../src/local/testing/client.ts";
import { type Peculiar, peculiarRepository } from "../src/local/testing/peculiar.ts";
import { type Served, serve } from "../src/local/testing/served.ts";
import { violations } from "./github-openapi/validate.ts";
import { type Awkward, awkwardRepository } from "./repositories/awkward.ts";
import { GitRepository } from "./repositories/git.ts";

const GIT = "/repos/{owner}/{repo}";
const OBJECT = "application/vnd.github.object";

let odd: Peculiar;
let awkward: Awkward;
let empty: GitRepository;
let hosts: { odd: Served; awkward: Served; empty: Served };

before(async () => {
  odd = peculiarRepository();
  awkward = awkwardRepository();
  empty = new GitRepository("empty");
  hosts = {
    odd: await serve(odd.repository.path, { limits: { contentsBytes: 100 } }),
    awkward: await serve(awkward.repository.path),
    empty: await serve(empty.path),
  };
});

after(async () => {
  await Promise.all(Object.values(hosts).map(({ host }) => host.close()));
  odd.remove();
  awkward.repository.remove();
  empty.remove();
});

/** Asks, expects the status, and judges the body. */
async function judge(
  operation: string,
  path: string,
  { status = 200, on = "odd", accept }: { status?: number; on?: keyof typeof hosts; accept?: string } = {},
): Promise<void> {
  const { host } = hosts[on];
  const headers = { authorization: "Bearer t", ...(accept && { accept }) };
  const reply = await send(host.url, path.startsWith("/rate_limit") ? path : `/repos/octo/demo${path}`, {
    headers,
  });
  assert.equal(reply.status, status, path);
  const described = status === 200 ? accept : undefined;
  assert.deepEqual(violations(operation, status, JSON.parse(reply.body.toString()), described), [], path);
}

test("the judge can say no", () => {
  assert.notDeepEqual(violations(`GET ${GIT}/git/ref/{ref}`, 200, { ref: "refs/heads/main" }), []);
  assert.notDeepEqual(violations(`GET ${GIT}`, 200, {}), []);
  assert.throws(() => violations(`GET ${GIT}`, 418, {}), /not described/);
});

test("rate limit and repository", async () => {
  await judge("GET /rate_limit", "/rate_limit");
  await judge(`GET ${GIT}`, "");
  await judge(`GET ${GIT}`, "", { on: "empty" });
});

test("commits and comparisons", async () => {
  await judge(`GET ${GIT}/commits`, "/commits");
  await judge(`GET ${GIT}/commits`, "/commits?sha=nope", { status: 404 });
  await judge(`GET ${GIT}/commits`, "/commits", { status: 409, on: "empty" });
  const all = odd.repository.git("rev-list", "--all").split("\n");
  for (const sha of all) await judge(`GET ${GIT}/commits/{ref}`, `/commits/${sha}`);
  await judge(`GET ${GIT}/commits/{ref}`, "/commits/nope", { status: 422 });
  await judge(`GET ${GIT}/commits/{ref}`, "/commits/main", { status: 409, on: "empty" });
  for (const head of ["main", odd.root, "feature/one"]) {
    await judge(`GET ${GIT}/compare/{basehead}`, `/compare/${odd.typeChanged}...${head}`);
  }
  await judge(`GET ${GIT}/compare/{basehead}`, "/compare/main...unrelated", { status: 404 });
});

test("refs, branches, tags", async () => {
  await judge(`GET ${GIT}/git/ref/{ref}`, "/git/ref/heads/main");
  await judge(`GET ${GIT}/git/ref/{ref}`, "/git/ref/tags/v1.0.0", { on: "awkward" });
  await judge(`GET ${GIT}/git/ref/{ref}`, "/git/ref/nope", { status: 404 });
  await judge(`GET ${GIT}/git/ref/{ref}`, "/git/ref/heads/main", { status: 409, on: "empty" });
  await judge(`GET ${GIT}/git/matching-refs/{ref}`, "/git/matching-refs/", { on: "awkward" });
  await judge(`GET ${GIT}/branches`, "/branches", { on: "awkward" });
  await judge(`GET ${GIT}/branches/{branch}`, "/branches/main");
  await judge(`GET ${GIT}/branches/{branch}`, "/branches/nope", { status: 404 });
  await judge(`GET ${GIT}/tags`, "/tags", { on: "awkward" });
});

test("git objects", async () => {
  const blob = odd.repository.git("rev-parse", "main:main.txt");
  const nested = awkward.repository.git("rev-parse", "refs/tags/nested");
  await judge(`GET ${GIT}/git/blobs/{file_sha}`, `/git/blobs/${blob}`);
  await judge(`GET ${GIT}/git/blobs/{file_sha}`, "/git/blobs/nope", { status: 422 });
  await judge(`GET ${GIT}/git/blobs/{file_sha}`, `/git/blobs/${"0".repeat(40)}`, { status: 404 });
  await judge(`GET ${GIT}/git/trees/{tree_sha}`, "/git/trees/main");
  await judge(`GET ${GIT}/git/trees/{tree_sha}`, "/git/trees/main?recursive=1");
  await judge(`GET ${GIT}/git/trees/{tree_sha}`, `/git/trees/${blob}`, { status: 422 });
  for (const sha of [odd.root, odd.signed, odd.latin1]) {
    await judge(`GET ${GIT}/git/commits/{commit_sha}`, `/git/commits/${sha}`);
  }
  await judge(`GET ${GIT}/git/tags/{tag_sha}`, `/git/tags/${odd.signedTag}`);
  await judge(`GET ${GIT}/git/tags/{tag_sha}`, `/git/tags/${nested}`, { on: "awkward" });
});

test("contents of every kind, as JSON and as an object", async () => {
  const paths = [
    "",
    "/main.txt",
    "/dir",
    "/dir/renamed.txt",
    "/vendor",
    "/vendor/on-github",
    "/kept.txt",
    "/link-to-dir",
    "/link-out",
  ];
  for (const path of paths) {
    await judge(`GET ${GIT}/contents/{path}`, `/contents${path}`);
    await judge(`GET ${GIT}/contents/{path}`, `/contents${path}`, { accept: OBJECT });
  }
  await judge(`GET ${GIT}/contents/{path}`, "/contents/nope", { status: 404 });
  await judge(`GET ${GIT}/contents/{path}`, "/contents/nope", { status: 404, on: "empty" });
});

test("code search", async () => {
  const ask = async (q: string, accept?: string) => {
    const headers = { authorization: "Bearer t", ...(accept && { accept }) };
    return await send(hosts.odd.host.url, `/search/code?q=${encodeURIComponent(q)}`, { headers });
  };
  for (const accept of [undefined, "application/vnd.github.text-match+json"]) {
    const found = await ask("filename:txt repo:octo/demo", accept);
    assert.equal(found.status, 200);
    const body = JSON.parse(found.body.toString());
    assert.ok(body.items.length > 0);
    assert.deepEqual(violations("GET /search/code", 200, body), []);
  }
  const refused = await ask("x repo:octo/nope");
  assert.equal(refused.status, 422);
  assert.deepEqual(violations("GET /search/code", 422, JSON.parse(refused.body.toString())), []);
});

test("an archive is the redirect the description knows", async () => {
  const reply = await hosts.odd.get("/tarball/main");
  assert.equal(reply.status, 302);
  assert.ok(reply.headers.location);
});
