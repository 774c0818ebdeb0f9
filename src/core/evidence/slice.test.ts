import assert from "node:assert/strict";
import { test } from "node:test";
import { selectSlice } from "./slice.ts";

const file = new TextEncoder().encode("one\ntwo\nthree");
const empty = new Uint8Array();

test("no lines asked for: the whole file", () => {
  assert.deepEqual(selectSlice(file, null), {
    kind: "slice",
    bytes: file,
    range: { start: 1, end: 3 },
    totalLines: 3,
    wholeFile: true,
  });
});

test("an empty file has no lines and a null range", () => {
  assert.deepEqual(selectSlice(empty, null), {
    kind: "slice",
    bytes: empty,
    range: null,
    totalLines: 0,
    wholeFile: true,
  });
});

test("an end left out means one line", () => {
  const slice = selectSlice(file, { start: 2 });
  assert.ok(slice.kind === "slice");
  assert.equal(Buffer.from(slice.bytes).toString(), "two\n");
  assert.deepEqual([slice.range, slice.wholeFile], [{ start: 2, end: 2 }, false]);
});

test("nothing is clamped: a line that does not exist is missing", () => {
  const reason = (lines: { start: number; end?: number }, of = file) => {
    const slice = selectSlice(of, lines);
    return slice.kind === "missing" ? slice.reason : null;
  };
  assert.equal(reason({ start: 4 }), "line 4 does not exist: the file has 3 lines at this commit.");
  assert.equal(
    reason({ start: 2, end: 9 }),
    "lines 2 to 9 do not all exist: the file has 3 lines at this commit.",
  );
  assert.equal(reason({ start: 1 }, empty), "line 1 does not exist: the file has 0 lines at this commit.");
});
