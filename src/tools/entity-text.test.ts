/** Where a branch stands, as lines: what a caller may change is named even where it is not the branch that was asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KinStatus } from "../schema/entities.ts";
import { kinStatusText } from "./entity-text.ts";

const status = (writable: KinStatus["writable"]) =>
  kinStatusText({
    status: "ok",
    repository: "app",
    branch: "main",
    head: "a".repeat(40),
    tree: "b".repeat(40),
    reason: null,
    writable,
    entities: { available: true, reason: null },
    languages: [],
    other_files: 0,
    languages_complete: true,
  } as unknown as KinStatus).split("\n");

test("what is open to the caller stands beside why this branch is not", () => {
  const reason = "The registry opens other branches.";
  const patterns = { branches: ["agent/**"], paths: ["src/**"] };
  assert.deepEqual(status({ allowed: false, reason, ...patterns }).slice(1), [
    "not writable  The registry opens other branches.",
    "open to you  branches agent/**  paths src/**",
  ]);
  assert.deepEqual(status({ allowed: true, reason: null, ...patterns }).slice(1), [
    "writable  branches agent/**  paths src/**",
  ]);
  assert.deepEqual(status({ allowed: false, reason, branches: null, paths: null }).slice(1), [
    "not writable  The registry opens other branches.",
  ]);
});
