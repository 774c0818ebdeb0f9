import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { countLines, sliceLines } from "./lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (slice: Uint8Array | null) => (slice === null ? null : new TextDecoder().decode(slice));

// Few letters, so that terminators in every position are common.
const blob = fc
  .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x00, 0xff), { maxLength: 40 })
  .map((list) => Uint8Array.from(list));

test("lines are counted as the contract says", () => {
  assert.equal(countLines(bytes("")), 0);
  assert.equal(countLines(bytes("\n")), 1);
  assert.equal(countLines(bytes("a")), 1);
  assert.equal(countLines(bytes("a\n")), 1);
  assert.equal(countLines(bytes("a\nb")), 2);
  assert.equal(countLines(bytes("a\r\nb\rc\n")), 2);
  assert.equal(countLines(bytes("\n\n")), 2);
});

test("a slice holds its terminators, and its carriage returns", () => {
  const file = bytes("one\r\ntwo\n\nfour");
  assert.equal(text(sliceLines(file, 1, 1)), "one\r\n");
  assert.equal(text(sliceLines(file, 2, 3)), "two\n\n");
  assert.equal(text(sliceLines(file, 4, 4)), "four");
  assert.equal(text(sliceLines(file, 1, 4)), "one\r\ntwo\n\nfour");
});

test("a line that is not there gives no slice, in part neither", () => {
  const file = bytes("one\ntwo\n");
  for (const [start, end] of [
    [3, 3],
    [2, 3],
    [1, 100],
    [0, 1],
    [2, 1],
    [-1, -1],
  ] as const) {
    assert.equal(sliceLines(file, start, end), null, `${start}-${end}`);
  }
  assert.equal(sliceLines(bytes(""), 1, 1), null);
});

test("as many lines as were counted, and put together they are the blob", () => {
  fc.assert(
    fc.property(blob, (file) => {
      const total = countLines(file);
      const parts: Uint8Array[] = [];
      for (let line = 1; line <= total; line++) {
        const slice = sliceLines(file, line, line);
        assert.ok(slice !== null);
        parts.push(slice);
      }
      assert.equal(sliceLines(file, total + 1, total + 1), null);
      assert.deepEqual(new Uint8Array(Buffer.concat(parts)), file);
    }),
  );
});

test("a slice is what tail and head print", () => {
  fc.assert(
    fc.property(blob, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 4 }), (file, start, more) => {
      const slice = sliceLines(file, start, start + more);
      fc.pre(slice !== null);
      const printed = execFileSync("sh", ["-c", `tail -n +${start} | head -n ${more + 1}`], { input: file });
      assert.deepEqual(new Uint8Array(printed), new Uint8Array(slice ?? []));
    }),
    { numRuns: 40 },
  );
});

test("the last line of a large blob is found", () => {
  const file = new Uint8Array(20_000_000).fill(0x61);
  for (let at = 39; at < file.length; at += 40) file[at] = 0x0a;
  assert.equal(countLines(file), 500_000);
  assert.equal(sliceLines(file, 500_000, 500_000)?.byteOffset, 19_999_960);
});
