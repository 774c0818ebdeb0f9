import assert from "node:assert/strict";
import { test } from "node:test";
import { pairExactRenames } from "./renames.ts";
import { diffTrees, type ListedPath } from "./tree-diff.ts";

const file = (path: string, digit = "1", mode = "100644"): ListedPath => ({
  path,
  mode,
  kind: mode === "120000" ? "symlink" : "file",
  id: digit.repeat(40),
});
const lines = (base: ListedPath[], head: ListedPath[]) =>
  pairExactRenames(diffTrees(base, head)).map((change) =>
    change.status === "R" ? `R ${change.from} -> ${change.path}` : `${change.status} ${change.path}`,
  );

test("a deletion and an addition of equal content become one rename, at the new path's place", () => {
  assert.deepEqual(lines([file("a"), file("m")], [file("m", "2"), file("z")]), ["M m", "R a -> z"]);
});

test("the source with the same basename is preferred, then the first in path order", () => {
  assert.deepEqual(lines([file("a/x"), file("b/y"), file("c/z")], [file("new/y"), file("new/z")]), [
    "D a/x",
    "R b/y -> new/y",
    "R c/z -> new/z",
  ]);
  assert.deepEqual(lines([file("a"), file("b")], [file("c")]), ["D b", "R a -> c"]);
});

test("a source is used once; a path that still stands is no source", () => {
  assert.deepEqual(lines([file("a")], [file("b"), file("c")]), ["R a -> b", "A c"]);
  assert.deepEqual(lines([file("a")], [file("a"), file("b")]), ["A b"]);
});

test("a symlink never becomes a file by renaming, a file may become executable", () => {
  assert.deepEqual(lines([file("a", "1", "120000")], [file("b")]), ["D a", "A b"]);
  assert.deepEqual(lines([file("a", "1", "120000")], [file("b", "1", "120000")]), ["R a -> b"]);
  assert.deepEqual(lines([file("a")], [file("b", "1", "100755")]), ["R a -> b"]);
});

test("the pair carries both sides", () => {
  assert.deepEqual(pairExactRenames(diffTrees([file("a")], [file("b", "1", "100755")])), [
    {
      status: "R",
      path: "b",
      from: "a",
      base: { mode: "100644", kind: "file", id: "1".repeat(40) },
      head: { mode: "100755", kind: "file", id: "1".repeat(40) },
    },
  ]);
});
