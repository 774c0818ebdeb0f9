/** Edits of JavaScript; Node's own parser judges the results. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { runCases } from "../../../../test/support/edit-cases.ts";
import { MemoryHead } from "../../../../test/support/memory-head.ts";
import { javascriptCases } from "./javascript.fixture.ts";

const results = runCases("JavaScript", javascriptCases);

test("JavaScript: an import statement in a CommonJS file is refused", async () => {
  const head = new MemoryHead({
    "a.cjs": "const x = 1;\n",
    "b.js": "const x = 1;\nmodule.exports = { x };\n",
  });
  const refusal = await head.refusal(
    head.imports({ language: "javascript", path: "a.cjs" }, { add: ['import y from "y";'] }),
  );
  assert.equal(refusal.code, "import_invalid");
  const written = head.imports({ language: "javascript", path: "b.js" }, { add: ['import y from "y";'] });
  assert.equal((await head.refusal(written)).code, "import_invalid");
});

test("JavaScript: Node parses every result", () => {
  assert.ok(results.size >= 26);
  const program =
    "const vm = require('node:vm'); for (const text of JSON.parse(require('node:fs').readFileSync(0))) new vm.SourceTextModule(text);";
  const texts = JSON.stringify([...results.values()].map(({ text }) => text));
  const options = ["--experimental-vm-modules", "--no-warnings", "-e", program];
  const run = spawnSync(process.execPath, options, { input: texts, encoding: "utf8" });
  assert.equal(run.stderr, "");
  assert.equal(run.status, 0);
});
