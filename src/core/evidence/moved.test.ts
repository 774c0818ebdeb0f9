import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sliceLines } from "../git/lines.ts";
import { findMoved } from "./moved.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const moved = (slice: string, head: string) => findMoved(utf8(slice), utf8(head));

test("whole lines that stand once are found", () => {
  assert.deepEqual(moved("b\n", "a\nb\nc\n"), { start: 2, end: 2 });
  assert.deepEqual(moved("a\n", "a\nb\n"), { start: 1, end: 1 });
  assert.deepEqual(moved("b\nc\n", "a\nb\nc\n"), { start: 2, end: 3 });
  assert.deepEqual(moved("é\n", "}\né\n"), { start: 2, end: 2 });
  assert.deepEqual(moved("7\r\n", "\r\n7\r\n"), { start: 2, end: 2 });
});

test("lines that stand twice, overlapping or not, have not moved", () => {
  assert.equal(moved("a\n", "a\nb\na\n"), null);
  assert.equal(moved("a\n", "x\na\na\n"), null);
  assert.equal(moved("a\na\n", "x\na\na\na\n"), null);
});

test("parts of lines do not count", () => {
  assert.equal(moved("b\n", "ab\n"), null);
  assert.equal(moved("a\nb\n", "xa\nb\n"), null);
  assert.deepEqual(moved("b\n", "ab\nb\n"), { start: 2, end: 2 });
});

test("a last line without a line feed stands only at the end of a file that ends so", () => {
  assert.deepEqual(moved("end", "start\nend"), { start: 2, end: 2 });
  assert.deepEqual(moved("end", "end"), { start: 1, end: 1 });
  assert.equal(moved("end", "start\nend\n"), null);
  assert.equal(moved("end", "the end"), null);
  assert.equal(moved("end\n", "start\nend"), null);
});

test("lines without a letter or digit prove nothing", () => {
  for (const line of ["}\n", "\n", "  \n", "---\n", "\uFFFD\n"])
    assert.equal(moved(line, `x\n${line}`), null, line);
});

const lines = fc.array(fc.constantFrom("a\n", "b\n", "ab\n", "}\n", "\n"), { maxLength: 8 });

test("agrees with looking at every position", () => {
  fc.assert(
    fc.property(
      lines,
      lines,
      fc.constantFrom("", "a", "b"),
      fc.constantFrom("", "a"),
      (slice, head, headEnd, sliceEnd) => {
        const needle = slice.join("") + sliceEnd;
        const count = slice.length + (sliceEnd === "" ? 0 : 1);
        const file = utf8(head.join("") + headEnd);
        const places: number[] = [];
        for (let start = 1; count > 0 && start <= head.length + 1; start++) {
          const there = sliceLines(file, start, start + count - 1);
          if (there !== null && Buffer.from(there).toString() === needle) places.push(start);
        }
        const [only] = places;
        const expected =
          places.length === 1 && only !== undefined && /[ab]/.test(needle)
            ? { start: only, end: only + count - 1 }
            : null;
        assert.deepEqual(findMoved(utf8(needle), file), expected);
      },
    ),
    { numRuns: 1000 },
  );
});
