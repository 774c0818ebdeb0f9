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

test("no page of headings, changes or commits begins beyond their end", async () => {
  const pages = new GitRepository("pages");
  const base = pages.write("page.md", "# 1\n\n# 2\n\n# 3\n").commit("base");
  pages.write("one", "1\n").commit("one");
  const head = pages.write("two", "2\n").commit("two");
  const service = await startStack({
    host: { repositories: [{ owner: "octo", name: "pages", path: pages.path }] },
    registry: [{ name: "pages", owner: "octo", repo: "pages" }],
  });
  try {
    const doc = { repository: "pages", sourcePath: "page.md", limit: 1 };
    const between = { repository: "pages", base, head, limit: 1 };
    for (const [path, given, good, beyond] of [
      ["/v1/get-doc", doc, [[1], [2]], [[3], [1_000_000_000]]],
      // Two changes in two commits: [of changes, of commits].
      [
        "/v1/compare",
        between,
        [
          [1, 2],
          [2, 1],
          [0, 0],
        ],
        [
          [2, 2],
          [3, 0],
          [0, 3],
          [1_000_000_000, 1_000_000_000],
        ],
      ],
    ] as [string, Record<string, unknown>, number[][], number[][]][]) {
      const first = await service.post<{ nextCursor: string | null }>(path, given);
      const own = JSON.parse(Buffer.from(first.body.nextCursor ?? "", "base64url").toString()) as unknown[];
      const ask = async (position: number[]) => {
        const forged = [...own.slice(0, own.length - position.length), ...position];
        const cursor = Buffer.from(JSON.stringify(forged)).toString("base64url");
        return (await service.post(path, { ...given, cursor })).status;
      };
      for (const position of good) assert.equal(await ask(position), 200, `${path} ${position.join()}`);
      for (const position of beyond) assert.equal(await ask(position), 400, `${path} ${position.join()}`);
    }
  } finally {
    await service.close();
    pages.remove();
  }
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
