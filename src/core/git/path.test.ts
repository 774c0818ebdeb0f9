import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../../errors.ts";
import { assertPath, pathFault } from "./path.ts";

test("paths that git can hold are accepted", () => {
  for (const path of ["", "a", "a/b.ts", "a\\..\\b", "...", "a/..b", " ", "ä/ü", "a b/c#d%e", "-x", "a\nb"]) {
    assert.equal(pathFault(path), null, JSON.stringify(path));
  }
});

test("paths that git cannot hold are refused before any request", () => {
  const refused = ["/", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a/.", "a\0b", "\ud800"];
  for (const path of refused) {
    assert.throws(
      () => assertPath(path),
      (error) =>
        error instanceof GitpinError && error.code === "invalid_path" && error.data.field === "sourcePath",
      JSON.stringify(path),
    );
  }
});
