/** What is the same for ever: asked for by a full SHA, there, and of a list all of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pinnedAndComplete, pinnedBySha } from "./pinned.ts";

const sha = "a".repeat(40);

test("by full SHA and there", () => {
  assert.equal(pinnedBySha({ sha }, { status: "ok" }), true);
  for (const [given, status] of [
    [{}, "ok"],
    [{ sha: sha.slice(1) }, "ok"],
    [{ sha }, "missing"],
    [{ sha }, "ambiguous"],
  ] as const) {
    assert.equal(pinnedBySha(given, { status }), false);
  }
});

test("a list only where it is complete", () => {
  assert.equal(pinnedAndComplete({ sha }, { status: "ok", complete: true }), true);
  assert.equal(pinnedAndComplete({ sha }, { status: "ok", complete: false }), false);
  assert.equal(pinnedAndComplete({}, { status: "ok", complete: true }), false);
});
