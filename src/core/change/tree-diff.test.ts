import assert from "node:assert/strict";
import { test } from "node:test";
import { diffTrees, type ListedPath } from "./tree-diff.ts";

const id = (digit: string) => digit.repeat(40);
const file = (path: string, digit: string, mode = "100644"): ListedPath => ({
  path,
  mode,
  kind: mode === "100755" ? "executable" : "file",
  id: id(digit),
});
const letters = (base: ListedPath[], head: ListedPath[]) =>
  diffTrees(base, head).map(({ status, path }) => `${status} ${path}`);

test("each letter of git", () => {
  const link: ListedPath = { path: "t", mode: "120000", kind: "symlink", id: id("1") };
  const submodule: ListedPath = { path: "s", mode: "160000", kind: "submodule", id: id("1") };
  assert.deepEqual(
    letters(
      [
        file("d", "1"),
        file("m", "1"),
        file("same", "1"),
        file("t", "1"),
        file("x", "1"),
        submodule,
        file("u", "1"),
      ],
      [
        file("a", "1"),
        file("m", "2"),
        file("same", "1"),
        link,
        file("x", "1", "100755"),
        { ...submodule, id: id("2") },
        { ...submodule, path: "u" },
      ],
    ),
    ["A a", "D d", "M m", "M s", "T t", "T u", "M x"],
  );
});

test("a change carries what stood there before and what stands there now", () => {
  assert.deepEqual(diffTrees([file("m", "1")], [file("m", "1", "100755")]), [
    {
      status: "M",
      path: "m",
      base: { mode: "100644", kind: "file", id: id("1") },
      head: { mode: "100755", kind: "executable", id: id("1") },
    },
  ]);
});

test("file modes of old trees are read as git reads them", () => {
  assert.deepEqual(letters([file("a", "1", "100664")], [file("a", "1")]), []);
  assert.deepEqual(letters([file("a", "1", "100775")], [file("a", "1", "100755")]), []);
  assert.deepEqual(letters([file("a", "1", "100664")], [file("a", "1", "100755")]), ["M a"]);
});

test("directories of a recursive listing are passed over, and the order of input does not matter", () => {
  const directory: ListedPath = { path: "a", mode: "040000", kind: "directory", id: id("9") };
  assert.deepEqual(letters([], [file("b", "1"), directory, file("a/b", "1"), file("a-b", "1")]), [
    "A a-b",
    "A a/b",
    "A b",
  ]);
});

test("paths are in byte order, also above U+FFFF", () => {
  // U+10000 is F0 90 80 80 in UTF-8, U+FF5E is EF BD 9E; as UTF-16 units they would stand the other way round.
  assert.deepEqual(letters([], [file("\u{10000}", "1"), file("\uff5e", "1"), file("~", "1")]), [
    "A ~",
    "A \uff5e",
    "A \u{10000}",
  ]);
});
