import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { bytesOfContent, contentOf } from "./content.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const plain = { firstLine: 1, binary: false };

test("UTF-8 is text, with its line ends, BOM and NUL kept", () => {
  for (const text of ["", "a\r\nb\n", "\uFEFFname,value\n", "añb\u{1F600}\n", "late\0nul"]) {
    const { content, encoding, truncated, truncation } = contentOf(utf8(text), plain);
    assert.deepEqual(
      { content, encoding, truncated, truncation },
      { content: text, encoding: "utf-8", truncated: false, truncation: null },
    );
  }
});

test("what is not UTF-8, or binary to git, is base64", () => {
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    const { content, encoding } = contentOf(Uint8Array.from(bytes), plain);
    assert.equal(encoding, "base64");
    assert.equal(content, Buffer.from(bytes).toString("base64"));
  }
  assert.equal(contentOf(utf8("plain"), { firstLine: 1, binary: true }).content, "cGxhaW4=");
});

test("the SHA-256 is that of the whole slice, also when content is cut", () => {
  const sha = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assert.equal(contentOf(utf8("abc"), plain).contentSha256, sha);
  assert.equal(contentOf(utf8("abc"), { ...plain, maxBytes: 1 }).contentSha256, sha);
  assert.equal(
    contentOf(utf8(""), plain).contentSha256,
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});

test("a cut falls after the last whole line that fits and says where to go on", () => {
  const slice = utf8("one\ntwo\nthree\n");
  const cut = (maxBytes: number) => {
    const { content, truncation } = contentOf(slice, { firstLine: 10, binary: false, maxBytes });
    return [content, truncation?.returnedBytes, truncation?.totalBytes, truncation?.nextLine];
  };
  assert.deepEqual(cut(13), ["one\ntwo\n", 8, 14, 12]);
  assert.deepEqual(cut(8), ["one\ntwo\n", 8, 14, 12]);
  assert.deepEqual(cut(7), ["one\n", 4, 14, 11]);
  assert.deepEqual(cut(4), ["one\n", 4, 14, 11]);
  assert.deepEqual(cut(3), ["one", 3, 14, 10]);
  assert.deepEqual(cut(14), ["one\ntwo\nthree\n", undefined, undefined, undefined]);
});

test("inside a line that does not fit, a cut falls between characters", () => {
  const slice = utf8("aé\u{1F600}z");
  const cut = (maxBytes: number) => contentOf(slice, { ...plain, maxBytes }).content;
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8].map(cut), [
    "a",
    "a",
    "aé",
    "aé",
    "aé",
    "aé",
    "aé\u{1F600}",
    "aé\u{1F600}z",
  ]);
  assert.equal(contentOf(utf8("\u{1F600}"), { ...plain, maxBytes: 1 }).content, "");
});

test("base64 is cut at the byte, and counts its lines too", () => {
  const { content, truncation } = contentOf(Uint8Array.of(0xff, 0x0a, 0xff, 0x0a), { ...plain, maxBytes: 3 });
  assert.equal(content, "/wr/");
  assert.deepEqual(truncation, { returnedBytes: 3, totalBytes: 4, nextLine: 2 });
});

test("content goes back to exactly the bytes it stands for, whatever the bytes and the bound", () => {
  const slices = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.string({ unit: "binary", maxLength: 40 }).map(utf8),
    fc
      .string({ unit: fc.constantFrom("a", "\n", "\r", "é", "\uFEFF", "\u{1F600}"), maxLength: 40 })
      .map(utf8),
  );
  fc.assert(
    fc.property(slices, fc.integer({ min: 1, max: 70 }), fc.boolean(), (slice, maxBytes, binary) => {
      const result = contentOf(slice, { firstLine: 1, binary, maxBytes });
      const returned = result.truncation?.returnedBytes ?? slice.length;
      assert.ok(returned <= maxBytes);
      assert.equal(result.truncated, returned < slice.length);
      assert.deepEqual(
        new Uint8Array(bytesOfContent(result.content, result.encoding)),
        new Uint8Array(slice.subarray(0, returned)),
      );
      assert.equal(result.contentSha256, createHash("sha256").update(slice).digest("hex"));
    }),
    { numRuns: 500 },
  );
});
