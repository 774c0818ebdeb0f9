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
let written: GitRepository;
let hosts: { odd: Served; awkward: Served; empty: Served; written: Served; blank: Served };

before(async () => {
  odd = peculiarRepository();
  awkward = awkwardRepository();
  empty = new GitRepository("empty");
  written = new GitRepository("written");
  written.write("a.txt", "a\n").commit("one");
  written.git("branch", "guarded");
  const entry = { owner: "octo", name: "demo", path: written.path, protectedBranches: ["guarded"] };
  const tokens = ["t", { value: "reads", permissions: { contents: "read" } }];
  hosts = {
    odd: await serve(odd.repository.path, { limits: { contentsBytes: 100 } }),
    awkward: await serve(awkward.repository.path),
    empty: await serve(empty.path),
    written: await serve(written.path, { writable: true, tokens, repositories: [entry] }),
    blank: await serve(empty.path, { writable: true }),
  };
});

after(async () => {
  await Promise.all(Object.values(hosts).map(({ host }) => host.close()));
  odd.remove();
  awkward.repository.remove();
  empty.remove();
  written.remove();
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

/**
 * Sends a body, expects the status, judges the answer, and gives it back. `like`: an operation whose answer of that status
 * is described, where that of this one is not, or by two schemas that both fit everything.
 */
async function judgeWrite<T>(
  operation: string,
  path: string,
  body: unknown,
  {
    status = 201,
    on = "written",
    token = "t",
    like = operation,
  }: { status?: number; on?: keyof typeof hosts; token?: string; like?: string } = {},
): Promise<T> {
  const method = operation.split(" ", 1)[0] ?? "";
  const reply = await hosts[on].put(method, path, body, token);
  assert.equal(reply.status, status, `${operation} ${path}: ${reply.body}`);
  const value = JSON.parse(reply.body.toString());
  assert.deepEqual(violations(like, status, value), [], path);
  return value as T;
}

const NOPE = "1".repeat(40);

test("blobs, trees and commits that are made, and those that are not", async () => {
  const head = written.git("rev-parse", "HEAD");
  const blob = `POST ${GIT}/git/blobs`;
  await judgeWrite(blob, "/git/blobs", { content: "x" });
  await judgeWrite(blob, "/git/blobs", {}, { status: 422, like: `POST ${GIT}/git/trees` });
  await judgeWrite(blob, "/git/blobs", { content: "x" }, { status: 403, token: "reads" });
  await judgeWrite(blob, "/git/blobs", { content: "x" }, { status: 409, on: "blank" });
  const tree = `POST ${GIT}/git/trees`;
  const entries = [
    { path: "dir/x", mode: "100644", content: "x" },
    { path: "y", mode: "160000", sha: NOPE },
  ];
  const { sha } = await judgeWrite<{ sha: string }>(tree, "/git/trees", { base_tree: head, tree: entries });
  await judgeWrite(tree, "/git/trees", { tree: [] }, { status: 422 });
  await judgeWrite(tree, "/git/trees", { tree: entries }, { status: 403, token: "reads" });
  await judgeWrite(tree, "/git/trees", { tree: entries }, { status: 409, on: "blank" });
  const commit = `POST ${GIT}/git/commits`;
  const body = { message: "m", tree: sha, parents: [head] };
  await judgeWrite(commit, "/git/commits", body);
  await judgeWrite(commit, "/git/commits", { ...body, tree: NOPE }, { status: 422 });
  await judgeWrite(commit, "/git/commits", { ...body, author: { name: "<>", email: "" } }, { status: 422 });
  await judgeWrite(commit, "/git/commits", body, { status: 409, on: "blank" });
});

test("refs that are made, moved and deleted, and those that are not", async () => {
  const sha = written.git("rev-parse", "HEAD");
  const create = `POST ${GIT}/git/refs`;
  await judgeWrite(create, "/git/refs", { ref: "refs/heads/x", sha });
  await judgeWrite(create, "/git/refs", { ref: "refs/heads/x", sha }, { status: 422 });
  await judgeWrite(create, "/git/refs", { ref: "refs/heads/x", sha }, { status: 409, on: "blank" });
  const update = `PATCH ${GIT}/git/refs/{ref}`;
  await judgeWrite(update, "/git/refs/heads/x", { sha, force: true }, { status: 200 });
  await judgeWrite(update, "/git/refs/heads/nope", { sha }, { status: 422 });
  const child = await hosts.written.made<{ sha: string }>("POST", "/git/commits", {
    message: "m",
    tree: written.git("rev-parse", "HEAD^{tree}"),
    parents: [sha],
  });
  await judgeWrite(update, "/git/refs/heads/guarded", { sha: child.sha }, { status: 422 });
  await judgeWrite(update, "/git/refs/heads/x", { sha }, { status: 409, on: "blank" });
  await judgeWrite(`DELETE ${GIT}/git/refs/{ref}`, "/git/refs/heads/nope", undefined, {
    status: 422,
    like: update,
  });
  await judge(`GET ${GIT}/branches`, "/branches", { on: "written" });
  await judge(`GET ${GIT}/branches/{branch}`, "/branches/guarded", { on: "written" });
});

test("contents that are written, and those that are not", async () => {
  const put = `PUT ${GIT}/contents/{path}`;
  const conflict = `POST ${GIT}/git/blobs`;
  const body = { message: "m", content: "eA==" };
  const { content } = await judgeWrite<{ content: { sha: string } }>(put, "/contents/new.txt", body);
  await judgeWrite(put, "/contents/new.txt", { ...body, sha: content.sha }, { status: 200 });
  await judgeWrite(put, "/contents/new.txt", body, { status: 422 });
  await judgeWrite(put, "/contents/new.txt", { ...body, sha: NOPE }, { status: 409, like: conflict });
  await judgeWrite(put, "/contents/g.txt", { ...body, branch: "guarded" }, { status: 409, like: conflict });
  await judgeWrite(put, "/contents/g.txt", { ...body, branch: "nope" }, { status: 404 });
  await judgeWrite(put, "/contents/.git/x", body, { status: 422 });
});

test("pull requests, opened, refused, listed and shown", async () => {
  const open = `POST ${GIT}/pulls`;
  written.git("branch", "work", written.feed("work", "commit-tree", "HEAD^{tree}", "-p", "HEAD"));
  const pull = { title: "Work", head: "work", base: "main" };
  await judgeWrite(open, "/pulls", pull);
  await judgeWrite(open, "/pulls", pull, { status: 422 });
  await judgeWrite(open, "/pulls", { ...pull, head: "nope" }, { status: 422 });
  await judgeWrite(open, "/pulls", pull, { status: 403, token: "reads" });
  await judge(`GET ${GIT}/pulls`, "/pulls?head=octo:work", { on: "written" });
  await judge(`GET ${GIT}/pulls/{pull_number}`, "/pulls/1", { on: "written" });
  await judge(`GET ${GIT}/pulls/{pull_number}`, "/pulls/2", { on: "written", status: 404 });
});
