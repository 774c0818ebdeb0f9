/** Units and bytes of real-world text, and what is refused. The oracle of offsets is TextEncoder. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SOURCE_BYTES, SourceText } from "./source-text.ts";

const encoder = new TextEncoder();

test("byte offsets of every character boundary", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (raw) => {
      const text = raw.replaceAll("\0", "");
      const source = new SourceText(encoder.encode(text));
      assert.equal(source.text, text);
      let unit = 0;
      for (const character of text) {
        assert.equal(source.byteAt(unit), encoder.encode(text.slice(0, unit)).byteLength);
        unit += character.length;
      }
      assert.equal(source.byteAt(text.length), source.bytes.byteLength);
    }),
    { numRuns: 300 },
  );
});

test("lines are 1-based and end with LF; a BOM is kept and is no line of its own", () => {
  const source = new SourceText(encoder.encode("\uFEFFa\r\nb\nc"));
  assert.deepEqual(
    [0, 1, 3, 4, 5, 6].map((unit) => source.lineAt(unit)),
    [1, 1, 1, 2, 2, 3],
  );
  assert.deepEqual(
    [1, 4, 6].map((unit) => source.columnAt(unit)),
    [2, 1, 1],
  );
  assert.equal(source.lineEnding, "\r\n");
  assert.equal(source.text.charCodeAt(0), 0xfeff);
});

test("refused by reason: too large, LFS pointer, binary, not UTF-8", () => {
  const refused = (bytes: Uint8Array, reason: string) =>
    assert.throws(
      () => new SourceText(bytes, "a.go"),
      (error: unknown) => {
        const { code, data } = error as { code: string; data: Record<string, unknown> };
        assert.deepEqual([code, data.reason, data.path], ["source_refused", reason, "a.go"]);
        return true;
      },
    );
  refused(new Uint8Array(SOURCE_BYTES + 1), "too_large");
  refused(
    encoder.encode("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"),
    "lfs_pointer",
  );
  refused(new Uint8Array([0x61, 0x00]), "binary");
  for (const bytes of [
    [0xff],
    [0xc3],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xfe, 0xff, 0x00, 0x61],
  ]) {
    refused(new Uint8Array(bytes), bytes.includes(0) ? "binary" : "not_utf8");
  }
  for (const text of ["a\ud800", `${" ".repeat(9_000)}\0`]) {
    assert.throws(() => SourceText.of(text), { code: "source_refused" });
  }
});
