/** Where the registry is a file, a commit is a line of the service's log: who, where, which, and nothing of what was written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WrittenStack } from "./written-stack.ts";

test("a commit has its line beside that of its request", async () => {
  const written = await WrittenStack.start({ files: { "src/a.py": "def told():\n    return 1\n" } });
  try {
    const before = written.head();
    const operation = written.patchOf(
      await written.source("src/a.py", "told"),
      "return 1",
      "return hiddenword",
    );
    const { body } = await written.mutate({ operations: [operation], request_id: "r1", summary: "unspoken" });
    assert.deepEqual([body.status, body.audit], ["committed", "recorded"]);
    const isCommit = (line: string) => line.includes('"kin.commit"');
    let lines = await written.stack.worker.logged(1);
    for (let count = 1; !lines.some(isCommit); ) lines = await written.stack.worker.logged(++count);
    const { at, ...line } = JSON.parse(lines.find(isCommit) ?? "") as Record<string, unknown>;
    assert.match(String(at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual(line, {
      event: "kin.commit",
      by: "anonymous",
      team: null,
      repository: "app",
      branch: "main",
      parent: before,
      commit: written.head(),
      paths: ["src/a.py"],
      pathsTotal: 1,
      operations: 1,
      requestId: "r1",
      pullRequest: null,
      unrecorded: null,
    });
    assert.doesNotMatch(lines.join("\n"), /hiddenword|unspoken/);
  } finally {
    await written.close();
  }
});
