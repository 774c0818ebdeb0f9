/** What each answer costs in requests to GitHub, cold and warm: literal lists, so that a new request is seen. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { EvidencePack } from "../../src/schema/evidence.ts";
import type { VerificationReport } from "../../src/schema/verification.ts";
import { commitTree } from "../repositories/awkward.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

const ID = 4711;
let repository: GitRepository;
let first: string;
let head: string;

before(() => {
  repository = new GitRepository("app");
  first = repository.write("a.txt", "one\ntwo\n").write("dir/b.txt", "b\n").commit("first");
  head = repository.write("a.txt", "one\ntwo\nthree\n").commit("second");
});

after(() => repository.remove());

async function withStack(
  { id, vars = {}, tokens }: { id?: number; vars?: Record<string, string>; tokens?: string[] },
  work: (stack: Stack) => Promise<void>,
): Promise<void> {
  const stack = await startStack({
    host: {
      repositories: [{ owner: "octo", name: "app", path: repository.path, id: ID }],
      ...(tokens === undefined ? {} : { tokens }),
    },
    registry: [{ name: "app", owner: "octo", repo: "app", ...(id === undefined ? {} : { id }) }],
    // A tip counts as HEAD for the whole test, unless the test says otherwise.
    vars: { HEAD_MAX_AGE: "3600", ...vars },
  });
  try {
    await work(stack);
  } finally {
    await stack.close();
  }
}

const prove = (stack: Stack, sourcePath: string, more: Record<string, string> = {}) =>
  stack.get<EvidencePack>("/v1/prove", { repository: "app", sourcePath, ...more });

/** Ids differ from run to run; their place in the request does not. */
const shape = (requests: string[]) =>
  requests.map((request) => request.replaceAll(/[0-9a-f]{40}/g, "SHA").replace(/\?.*/, ""));

test("a first prove costs 4, or 3 with the numeric id; another file 1; again 0", async () => {
  await withStack({}, async (stack) => {
    const cold = await stack.counted(() => prove(stack, "a.txt"));
    assert.equal(cold.result.status, 200);
    assert.deepEqual(shape(cold.requests), [
      "GET /repos/octo/app",
      `GET /repositories/${ID}/commits/HEAD`,
      `GET /repositories/${ID}/git/trees/SHA`,
      `GET /repositories/${ID}/git/blobs/SHA`,
    ]);
    assert.equal(cold.result.headers.get("x-gitpin-upstream-requests"), "4");
  });
  await withStack({ id: ID }, async (stack) => {
    const cold = await stack.counted(() => prove(stack, "a.txt"));
    assert.deepEqual(shape(cold.requests), [
      `GET /repositories/${ID}/commits/HEAD`,
      `GET /repositories/${ID}/git/trees/SHA`,
      `GET /repositories/${ID}/git/blobs/SHA`,
    ]);
    const other = await stack.counted(() => prove(stack, "dir/b.txt"));
    assert.deepEqual(shape(other.requests), [`GET /repositories/${ID}/git/blobs/SHA`]);
    const again = await stack.counted(() => prove(stack, "a.txt"));
    assert.deepEqual(again.requests, []);
    assert.equal(again.result.headers.get("x-gitpin-upstream-requests"), "0");
    const pinned = await stack.counted(() => prove(stack, "a.txt", { sha: head }));
    assert.deepEqual(pinned.requests, []);
  });
});

test("after HEAD_MAX_AGE a repeated prove costs one 304, which is free with a token", async () => {
  await withStack(
    { id: ID, vars: { HEAD_MAX_AGE: "0", GITHUB_TOKEN: "t" }, tokens: ["t"] },
    async (stack) => {
      await prove(stack, "a.txt");
      const used = async () => {
        const response = await fetch(`${stack.host.url}/rate_limit`, {
          headers: { authorization: "Bearer t", "user-agent": "test" },
        });
        return ((await response.json()) as { resources: { core: { used: number } } }).resources.core.used;
      };
      const before = await used();
      const { requests } = await stack.counted(() => prove(stack, "a.txt"));
      assert.deepEqual(shape(requests), [`GET /repositories/${ID}/commits/HEAD`]);
      assert.equal(stack.host.requests.at(-1)?.status, 304);
      assert.equal(await used(), before);
    },
  );
});

test("verify of a pinned, reachable citation: 0 while HEAD stands, at most 3 when it has moved", async () => {
  await withStack({ id: ID, vars: { HEAD_MAX_AGE: "0" } }, async (stack) => {
    const verify = (sourcePath: string) =>
      stack.get<VerificationReport>("/v1/verify", { repository: "app", sourcePath, sha: first, line: 1 });
    const cold = await stack.counted(() => verify("a.txt"));
    assert.equal(cold.result.body.freshness, "unchanged");
    assert.equal(cold.requests.length, 7, cold.requests.join("\n"));
    const warm = await stack.counted(() => verify("a.txt"));
    assert.deepEqual(shape(warm.requests), [`GET /repositories/${ID}/commits/HEAD`]);

    const next = commitTree(repository, head, { "a.txt": "zero\none\ntwo\n" }, "moves");
    repository.git("update-ref", "refs/heads/main", next);
    const moved = await stack.counted(() => verify("a.txt"));
    repository.git("update-ref", "refs/heads/main", head);
    assert.deepEqual(moved.result.body.movedTo, { start: 2, end: 2 });
    assert.deepEqual(shape(moved.requests), [
      `GET /repositories/${ID}/commits/HEAD`,
      `GET /repositories/${ID}/git/trees/SHA`,
      `GET /repositories/${ID}/git/blobs/SHA`,
    ]);
  });
  await withStack({ id: ID }, async (stack) => {
    const verify = () =>
      stack.get("/v1/verify", { repository: "app", sourcePath: "a.txt", sha: first, line: 1 });
    await verify();
    assert.deepEqual((await stack.counted(verify)).requests, []);
  });
});

test("a policy file in the repository costs one more, once", async () => {
  const wiki = commitTree(repository, head, { ".gitpin/wiki.yaml": "safety:\n  deny: [dir/]\n" }, "policy");
  repository.git("update-ref", "refs/heads/main", wiki);
  try {
    await withStack({ id: ID }, async (stack) => {
      const cold = await stack.counted(() => prove(stack, "a.txt"));
      assert.equal(cold.requests.length, 4);
      assert.equal((await prove(stack, "dir/b.txt")).status, 403);
      // An old commit is no way around a new rule.
      assert.equal((await prove(stack, "dir/b.txt", { sha: first })).status, 403);
      assert.deepEqual((await stack.counted(() => prove(stack, "a.txt"))).requests, []);
    });
  } finally {
    repository.git("update-ref", "refs/heads/main", head);
  }
});

test("50 equal calls at once cost what one costs", async () => {
  await withStack({ id: ID }, async (stack) => {
    const { result, requests } = await stack.counted(() =>
      Promise.all(Array.from({ length: 50 }, () => prove(stack, "a.txt"))),
    );
    assert.deepEqual([...new Set(result.map(({ status }) => status))], [200]);
    assert.equal(requests.length, 3, requests.join("\n"));
  });
});

test("what is immutable is in KV for ever; a damaged or cut entry is noticed, dropped and fetched again", async () => {
  // Without memory every call is a new isolate's first one: only the tip is asked for, the rest comes from KV.
  await withStack({ id: ID, vars: { MEMORY_CACHE_BYTES: "0" } }, async (stack) => {
    const cold = await prove(stack, "a.txt");
    const warm = await stack.counted(() => prove(stack, "a.txt"));
    assert.deepEqual(shape(warm.requests), [`GET /repositories/${ID}/commits/HEAD`]);
    assert.deepEqual({ ...warm.result.body, head: null }, { ...cold.body, head: null });

    const kv = await stack.worker.kv();
    const { keys } = await kv.list();
    assert.ok(keys.some(({ name }) => name.endsWith(`/blob/${cold.body.blobSha}`)));
    assert.ok(keys.every(({ name, expiration }) => name.includes(`/${ID}/`) && expiration === undefined));
    for (const { name } of keys) {
      const value = new Uint8Array((await kv.get(name, "arrayBuffer")) ?? new ArrayBuffer(0));
      const flipped = value.slice();
      const middle = flipped.length >> 1;
      flipped[middle] = (flipped[middle] ?? 0) ^ 1;
      for (const damaged of [flipped, value.subarray(0, value.length - 1), new Uint8Array(0)]) {
        await kv.put(name, damaged);
        const again = await prove(stack, "a.txt");
        assert.equal(again.body.contentSha256, cold.body.contentSha256, `${name} damaged`);
        assert.equal(again.body.content, "one\ntwo\nthree\n");
      }
    }
  });
});
