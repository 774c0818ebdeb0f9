/** Lines taken from a blob in pieces, against the same taken from it whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { objectId } from "./hash.ts";
import { LineExtractor } from "./line-extract.ts";
import { countLines, sliceLines } from "./lines.ts";

const blob = fc
  .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0xc3, 0), { maxLength: 200 })
  .map((bytes) => Uint8Array.from(bytes));

test("however it is cut into pieces: the same lines, count and id", () => {
  fc.assert(
    fc.property(
      blob,
      fc.integer({ min: 1, max: 12 }),
      fc.nat(12),
      fc.array(fc.integer({ min: 1, max: 30 })),
      (bytes, start, more, cuts) => {
        const end = start + more;
        const extractor = new LineExtractor(bytes.length, { start, end }, 1000);
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          assert.equal(extractor.push(bytes.subarray(at, at + cut)), true);
          at += cut;
        }
        const found = extractor.end();
        const expected = sliceLines(bytes, start, end);
        assert.deepEqual(
          found.bytes === null ? null : [...found.bytes],
          expected === null ? null : [...expected],
        );
        assert.equal(found.totalLines, countLines(bytes));
        assert.equal(found.id, objectId("blob", bytes));
        assert.deepEqual([...found.start], [...bytes]);
      },
    ),
  );
});

test("a start of 8,000 bytes, and no more lines than may be held", () => {
  const extractor = new LineExtractor(20_000, { start: 2, end: 3 }, 100);
  assert.equal(extractor.push(new Uint8Array(9000)), true);
  assert.equal(extractor.push(Uint8Array.of(0x0a, ...new Uint8Array(99), 0x0a)), true);
  assert.equal(extractor.push(Uint8Array.of(1)), false);
  assert.equal(extractor.end().start.length, 8000);
});
