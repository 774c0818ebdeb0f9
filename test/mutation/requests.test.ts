/** What a commit costs in requests to GitHub: literal lists, the same for one file and for a hundred in as many directories. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationInput } from "../../src/schema/mutation.ts";
import { patchAt } from "./operations.ts";
import { REPOSITORY_ID, shapeOf, WrittenStack } from "./written-stack.ts";

const repo = `/repositories/${REPOSITORY_ID}`;
const BLOB = `GET ${repo}/git/blobs/SHA`;
const COMMITTING = [`POST ${repo}/git/trees`, `POST ${repo}/git/commits`, "POST /graphql"];
const TIP = `GET ${repo}/commits/heads%2Fmain`;
const IDENTITY = `GET ${repo}`;
const TREE = `GET ${repo}/git/trees/SHA`;

const source = (index: number) => `def f${index}():\n    return 0\n\n\ndef g${index}():\n    return 0\n`;
const pathOf = (index: number) => `d${index}/deep/er/m${index}.py`;

/** What a caller holds who read the entity at this head. */
const patched = (head: string, index: number, name: string): Promise<OperationInput> =>
  patchAt(
    { repository: "app", repositoryId: REPOSITORY_ID, head, path: pathOf(index), text: source(index) },
    name,
    ["return 0", "return 1"],
  );

const withoutBlobs = (requests: readonly string[]) => shapeOf(requests).filter((request) => request !== BLOB);
const blobs = (requests: readonly string[]) => shapeOf(requests).filter((request) => request === BLOB).length;

for (const count of [1, 100]) {
  test(`${count} file(s): six requests beside the blobs, four when the branch is known`, async () => {
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [pathOf(index), source(index)]),
    );
    const served = await WrittenStack.start({ files });
    try {
      const head = served.head();
      const all = Array.from({ length: count }, (_, index) => index);
      const first = await Promise.all(all.map((index) => patched(head, index, `f${index}`)));
      const cold = await served.stack.counted(() => served.mutate({ operations: first }));
      assert.equal(cold.result.body.status, "committed", JSON.stringify(cold.result.body));
      assert.deepEqual(withoutBlobs(cold.requests), [IDENTITY, TIP, TREE, ...COMMITTING]);
      assert.equal(blobs(cold.requests), count);
      assert.equal(cold.result.headers.get("x-gitpin-upstream-requests"), String(6 + count));

      // The other function of each file, from the bases of the first reading: carried over, and all of it is known.
      const second = await Promise.all(all.map((index) => patched(head, index, `g${index}`)));
      const warm = await served.stack.counted(() => served.mutate({ operations: second }));
      assert.equal(warm.result.body.status, "committed", JSON.stringify(warm.result.body));
      assert.equal(warm.result.body.rebased, true);
      assert.deepEqual(shapeOf(warm.requests), [TIP, ...COMMITTING]);

      // What was written is read back without a request.
      const { next } = warm.result.body;
      const route = next?.tool === "pin.verify" ? "/v1/verify" : "/v1/verify-set";
      const proof = await served.stack.counted(() => served.stack.post(route, next?.arguments));
      assert.equal(proof.result.body.status, "ok");
      assert.deepEqual(proof.requests, []);
      served.assertSound();
      assert.equal(served.git("show", "--format=", "--name-only", "HEAD").split("\n").length, count);
    } finally {
      await served.close();
    }
  });
}

test("dry runs and conflicts read only, a repeated request_id asks nothing, a branch and its pull request cost one each", async () => {
  const served = await WrittenStack.start({ files: { [pathOf(0)]: source(0) } });
  try {
    const operation = await patched(served.head(), 0, "f0");
    const given = { operations: [operation], request_id: "r" };
    const dry = await served.stack.counted(() => served.mutate({ ...given, dry_run: true }));
    assert.equal(dry.result.body.status, "planned");
    assert.deepEqual(shapeOf(dry.requests), [IDENTITY, TIP, TREE, BLOB]);

    const branch = { branch: "agent/x", create_branch: true, pull_request: { title: "X" } };
    const made = await served.stack.counted(() => served.mutate({ operations: [operation], ...branch }));
    assert.equal(made.result.body.pull_request?.status, "open", JSON.stringify(made.result.body));
    assert.deepEqual(shapeOf(made.requests), [
      TIP,
      `POST ${repo}/git/trees`,
      `POST ${repo}/git/commits`,
      `POST ${repo}/git/refs`,
      `POST ${repo}/pulls`,
    ]);
    assert.equal(served.head("agent/x"), made.result.body.commitSha);

    const done = await served.stack.counted(() => served.mutate(given));
    assert.deepEqual(shapeOf(done.requests), [TIP, ...COMMITTING]);
    const again = await served.stack.counted(() => served.mutate(given));
    assert.equal(again.result.body.already_applied, true);
    assert.deepEqual(again.requests, []);
    const conflict = await served.stack.counted(() => served.mutate({ operations: [operation] }));
    assert.equal(conflict.result.body.status, "conflict");
    assert.deepEqual(shapeOf(conflict.requests), [TIP]);
  } finally {
    await served.close();
  }
});
