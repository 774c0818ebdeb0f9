/** Edits of Python; the results are parsed by CPython's own `ast` where python3 is on the PATH. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { runCases } from "../../../../test/support/edit-cases.ts";
import { pythonCases } from "./python.fixture.ts";

const results = runCases("Python", pythonCases);

const python = spawnSync("python3", ["--version"]).status === 0;

test("Python: CPython parses every result", { skip: python ? false : "no python3 on the PATH" }, () => {
  assert.ok(results.size >= 30);
  // `type` aliases are of Python 3.12: older parsers do not know them.
  const texts = [...results.values()].map(({ text }) => text.replace(/^type .*$/gm, "pass"));
  const program = "import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)";
  const run = spawnSync("python3", ["-c", program], { input: JSON.stringify(texts), encoding: "utf8" });
  assert.equal(run.stderr, "");
  assert.equal(run.status, 0);
});

after(() => results.clear());
