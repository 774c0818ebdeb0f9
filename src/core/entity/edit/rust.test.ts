/** Edits of Rust; rustfmt parses the results where it is on the PATH, and finds nothing to change in layout. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { runCases } from "../../../../test/support/edit-cases.ts";
import { rustCases } from "./rust.fixture.ts";

const results = runCases("Rust", rustCases);

const rustfmt = spawnSync("rustfmt", ["--version"]).status === 0;

test("Rust: rustfmt parses every result", { skip: rustfmt ? false : "no rustfmt on the PATH" }, () => {
  assert.ok(results.size >= 28);
  for (const [name, { text }] of results) {
    const run = spawnSync("rustfmt", ["--edition", "2021", "--emit", "stdout"], {
      input: text,
      encoding: "utf8",
    });
    assert.equal(run.status, 0, `${name}\n${run.stderr}`);
  }
});
