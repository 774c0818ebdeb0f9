import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOfMode } from "./tree-entry.ts";

test("kinds by mode, old group-writable ones included", () => {
  const kinds = ["100644", "100664", "100755", "100775", "120000", "160000", "040000", "40000", "100", "777"];
  assert.deepEqual(
    kinds.map((mode) => kindOfMode(mode)),
    [
      "file",
      "file",
      "executable",
      "executable",
      "symlink",
      "submodule",
      "directory",
      "directory",
      null,
      null,
    ],
  );
});
