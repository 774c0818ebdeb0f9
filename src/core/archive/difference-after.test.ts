/** What lies between an archive and the commit made from its own: literal cases. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { differenceAfter, type WrittenFile } from "./difference-after.ts";

const id = (digit: string) => digit.repeat(40);
const written = (path: string, digit: string, mode = "100644"): WrittenFile => ({
  path,
  mode,
  id: id(digit),
  size: 7,
});

test("files that were written are read as blobs, in git's order, beside those that the archive lacked before", () => {
  const before = {
    toRead: [{ rawPath: "m", path: "m", kind: "symlink", id: id("0"), size: null } as const],
    extra: ["made-up", "z"],
    submodules: ["vendor/lib"],
  };
  assert.deepEqual(
    differenceAfter(before, [
      written("z", "1"),
      written("m", "2", "100755"),
      written("a/é", "3", "100664"),
      written("a.b", "4", "120000"),
    ]),
    {
      toRead: [
        { rawPath: "a.b", path: "a.b", kind: "symlink", id: id("4"), size: 7 },
        { rawPath: "a/\u00c3\u00a9", path: "a/é", kind: "file", id: id("3"), size: 7 },
        { rawPath: "m", path: "m", kind: "executable", id: id("2"), size: 7 },
        { rawPath: "z", path: "z", kind: "file", id: id("1"), size: 7 },
      ],
      extra: ["made-up"],
      submodules: ["vendor/lib"],
    },
  );
  assert.deepEqual(differenceAfter(null, []), { toRead: [], extra: [], submodules: [] });
});

test("what cannot be said is not: names that may stand for several, modes that are no file's", () => {
  assert.equal(differenceAfter(null, [written("caf\ufffd", "1")]), null);
  for (const mode of ["040000", "160000", "000000"]) {
    assert.equal(differenceAfter(null, [written("a", "1", mode)]), null);
  }
});
