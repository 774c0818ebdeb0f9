/** What was written to, or read from, a branch that is open to changes and not registered can be proven by its SHA: of a private repository too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntitySource } from "../../src/schema/entities.ts";
import type { EvidencePack } from "../../src/schema/evidence.ts";
import { WrittenStack } from "./written-stack.ts";

const APP = "def run():\n    return 0\n";
const entry = { visibility: "private", writable: { branches: ["main", "agent/**"] } };

for (const uncached of [false, true]) {
  const how = uncached ? "without memory and KV" : "with caches";
  test(`the next calls of a receipt and of a reading by ref hold, ${how}`, async () => {
    const served = await WrittenStack.start({ files: { "app.py": APP }, entry, uncached });
    try {
      const prove = async (given: unknown): Promise<EvidencePack> =>
        (await served.stack.post<EvidencePack>("/v1/prove", given)).body;
      const source = await served.source("app.py", "run");
      const { body: receipt } = await served.mutate({
        operations: [served.patchOf(source, "return 0", "return 1")],
        branch: "agent/n",
        create_branch: true,
      });
      assert.equal(receipt.status, "committed", JSON.stringify(receipt));
      assert.equal(receipt.next?.tool, "pin.prove");
      const written = await prove(receipt.next.arguments);
      assert.deepEqual([written.status, written.commitSha], ["ok", receipt.commitSha]);

      served.git("branch", "agent/e", "main");
      const pushed = served.push("app.py", "def run():\n    return 2\n", "agent/e");
      const asked = { repository: "app", entity_id: "run", path: "app.py", ref: "agent/e" };
      const { body: read } = await served.stack.post<EntitySource>("/v1/kin/source", asked);
      assert.equal(read.commitSha, pushed, JSON.stringify(read));
      const named = { repository: "app", sourcePath: "app.py" };
      assert.equal((await prove({ ...named, sha: pushed })).status, "ok");

      served.git("branch", "secret", "main");
      const closed = served.push("app.py", "def run():\n    return 3\n", "secret");
      assert.equal((await prove({ ...named, sha: closed })).status, "blocked");
    } finally {
      await served.close();
    }
  });
}
