/** A cursor goes on with the call that gave it out, and with no other: nothing is left out silently. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { EvidenceSlice } from "../../src/schema/evidence.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

let repository: GitRepository;
let stack: Stack;

before(async () => {
  repository = new GitRepository("app");
  for (let number = 0; number < 9; number++)
    repository.write(`dir/${number}`, `${number}\n`).write(`${number}`, "x\n");
  repository.write(".ssh/config", "Host secret\n").commit("first");
  stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "app", path: repository.path }] },
    registry: [
      { name: "app", owner: "octo", repo: "app" },
      { name: "same", owner: "octo", repo: "app" },
    ],
    vars: { HEAD_MAX_AGE: "3600" },
  });
});

after(async () => {
  await stack.close();
  repository.remove();
});

const read = (given: Record<string, unknown>) =>
  stack.post<EvidenceSlice & { error?: { code: string; data: { field: string } } }>("/v1/read", given);

test("a cursor is refused for another directory, repository, file, ref, or beyond the end", async () => {
  const first = await read({ repository: "app", limit: 3 });
  const cursor = first.body.nextCursor;
  assert.equal((await read({ repository: "app", cursor })).body.status, "ok");
  for (const other of [
    { repository: "app", sourcePath: "dir", cursor },
    { repository: "same", cursor },
    { repository: "app", sourcePath: "0", cursor },
    { repository: "app", ref: "main", cursor },
    { repository: "app", cursor: Buffer.from('["read","x",4]').toString("base64url") },
  ]) {
    const { status, body } = await read(other);
    assert.deepEqual([status, body.error?.code], [400, "invalid_argument"], JSON.stringify(other));
  }
  const [kind, sha] = JSON.parse(Buffer.from(cursor ?? "", "base64url").toString()) as [string, string];
  const beyond = Buffer.from(JSON.stringify([kind, sha, 1_000_000_000])).toString("base64url");
  assert.equal((await read({ repository: "app", cursor: beyond })).status, 400);
});

test("a denied directory is listed as blocked and without its id, which is a hash of what it holds", async () => {
  const { body } = await read({ repository: "app" });
  const row = body.entries?.find(({ name }) => name === ".ssh");
  assert.deepEqual(row, {
    name: ".ssh",
    sourcePath: ".ssh",
    entryType: "directory",
    id: null,
    size: null,
    blocked: true,
  });
});

test("half a surrogate pair is refused in every text argument, by its field", async () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ["/v1/read", { repository: "app", sourcePath: "a\ud800" }, "sourcePath"],
    ["/v1/prove", { repository: "app", sourcePath: "0", claim: "\udc00" }, "claim"],
    ["/v1/search-code", { repository: "app", query: "x", paths: ["ok", "\ud800"] }, "paths[1]"],
    [
      "/v1/verify",
      { repository: "app", sourcePath: "0", sha: "0".repeat(40), mustContain: "\ud800" },
      "mustContain",
    ],
  ];
  for (const [path, given, field] of cases) {
    const { status, body } = await stack.post<{ error: { code: string; data: { field: string } } }>(
      path,
      given,
    );
    assert.deepEqual([status, body.error.code, body.error.data.field], [400, "invalid_argument", field]);
  }
});

test("a policy that cannot be read exposes nothing, in whatever way it is asked", async () => {
  const broken = new GitRepository("broken");
  const sha = broken.write("a.md", "secretword\n").write(".gitpin/wiki.yaml", "a: [\n").commit("first");
  const stackOfOne = await startStack({
    host: { repositories: [{ owner: "octo", name: "broken", path: broken.path }] },
    registry: [{ name: "broken", owner: "octo", repo: "broken" }],
  });
  try {
    const place = { repository: "broken" };
    for (const [path, given] of [
      ["/v1/read", place],
      ["/v1/prove", { ...place, sourcePath: "a.md" }],
      ["/v1/get-doc", { ...place, sourcePath: "a.md" }],
      ["/v1/verify", { ...place, sourcePath: "a.md", sha, mustContain: "secretword" }],
      ["/v1/search-code", { ...place, query: "secretword" }],
      ["/v1/search-docs", { ...place, query: "nothing" }],
      ["/v1/inspect", { ...place, operation: "changes" }],
      ["/v1/inspect", { ...place, operation: "manifest" }],
      ["/v1/compare", { ...place, base: sha, head: sha }],
    ] as const) {
      const { body } = await stackOfOne.post(path, given);
      const text = JSON.stringify(body);
      assert.match(text, /blocked|"code"/, `${path}: ${text}`);
      // The commands of a citation and a search repeat the caller's own text, and nothing else does.
      const repeated = "mustContain" in given || "query" in given;
      assert.equal(repeated || !text.includes("secretword"), true, path);
      assert.equal(/"absence":\s*\{/.test(text), false, path);
    }
  } finally {
    await stackOfOne.close();
    broken.remove();
  }
});
