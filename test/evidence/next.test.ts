/** `next` leads on, and never to the same call again. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { EvidenceSlice } from "../../src/schema/evidence.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

let repository: GitRepository;
let stack: Stack;
let head: string;

before(async () => {
  repository = new GitRepository("app");
  head = repository
    .write("long.txt", `${"x".repeat(300_000)}\nshort\n`)
    .write("huge.txt", "y".repeat(1_500_000))
    .write("src/a.ts", "one\ntwo\n")
    .commit("first");
  stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "app", path: repository.path }] },
    registry: [{ name: "app", owner: "octo", repo: "app" }],
    vars: { HEAD_MAX_AGE: "3600" },
  });
});

after(async () => {
  await stack.close();
  repository.remove();
});

interface Next {
  tool: string;
  arguments: Record<string, unknown>;
}

const read = async (given: Record<string, unknown>) =>
  (await stack.post<EvidenceSlice>("/v1/read", { repository: "app", ...given })).body;

test("reading on from a line longer than the bound takes the greatest bound, and comes to an end", async () => {
  const first = await read({ sourcePath: "long.txt" });
  assert.equal(first.truncated, true);
  const next = first.next as Next;
  assert.deepEqual(next, {
    tool: "pin.read",
    arguments: {
      repository: "app",
      sourcePath: "long.txt",
      sha: head,
      lineStart: 1,
      lineEnd: 2,
      maxBytes: 1_000_000,
    },
  });
  const second = await read(next.arguments);
  assert.deepEqual([second.truncated, (second.next as Next).tool], [false, "pin.prove"]);

  const most = await read({ sourcePath: "huge.txt", maxBytes: 1_000_000 });
  assert.deepEqual([most.truncated, most.next], [true, null]);
});

test("what is not there leads to the nearest thing that is", async () => {
  const at = async (given: Record<string, unknown>) => (await read(given)).next;
  assert.deepEqual(await at({ sourcePath: "src/b.ts" }), {
    tool: "pin.read",
    arguments: { repository: "app", sourcePath: "src", sha: head },
  });
  assert.deepEqual(await at({ sourcePath: "b.ts" }), {
    tool: "pin.read",
    arguments: { repository: "app", sha: head },
  });
  assert.deepEqual(await at({ sourcePath: "src/a.ts", lineStart: 9 }), {
    tool: "pin.read",
    arguments: { repository: "app", sourcePath: "src/a.ts", sha: head },
  });
  assert.deepEqual(await at({ sourcePath: "src/a.ts", sha: "0".repeat(40) }), {
    tool: "pin.read",
    arguments: { repository: "app" },
  });
});

test("a list in a query is a JSON array or a repeated parameter, and means the same", async () => {
  const search = async (paths: string) => {
    const response = await fetch(`${stack.worker.url}/v1/search-code?repository=app&query=one&${paths}`);
    return ((await response.json()) as { totals: { matchingFiles: number } }).totals.matchingFiles;
  };
  assert.equal(await search(`paths=${encodeURIComponent('["src/**"]')}`), 1);
  assert.equal(await search("paths=src/**&paths=none/**"), 1);
  assert.equal(await search(`paths=${encodeURIComponent('["none/**"]')}`), 0);
});
