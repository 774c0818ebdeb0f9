import assert from "node:assert/strict";
import { test } from "node:test";
import { caseVariants } from "./case-folding.ts";
import { type LiteralOptions, literalMatcher } from "./literal-matcher.ts";

const options = (text: string, more: Partial<LiteralOptions> = {}): LiteralOptions => ({
  text,
  caseSensitive: false,
  wholeWord: false,
  ...more,
});

/** Start of each matching line with its ranges. */
function scan(text: string | Uint8Array, asked: LiteralOptions, limit = 20): [number, ...string[]][] {
  const bytes = Buffer.from(text as string);
  const matcher = literalMatcher(asked);
  const found: [number, ...string[]][] = [];
  matcher.scan(bytes, 0, bytes.length, (start, end) => {
    const { ranges, more } = matcher.ranges(bytes, start, end, limit);
    found.push([
      start,
      ...ranges.map(({ offset, length }) => `${offset}+${length}`),
      ...(more ? ["more"] : []),
    ]);
  });
  return found;
}

test("case variants are those of simple case folding", () => {
  const variants = (character: string): string => caseVariants(character).join("");
  assert.equal(variants("k"), "Kk\u212a");
  assert.equal(variants("S"), "Ss\u017f");
  assert.equal(variants("ß"), "ß\u1e9e");
  assert.equal(variants("σ"), "Σςσ");
  assert.equal(variants("å"), "Åå\u212b");
  assert.equal(variants("ǆ"), "ǄǅǆǄ".slice(0, 3));
  assert.equal(variants("\u{10428}"), "\u{10400}\u{10428}");
  for (const alone of ["İ", "ı", "1", "-", "日", "\u{1f600}", "\ufffd"]) assert.equal(variants(alone), alone);
  assert.equal(variants("i"), "Ii");
});

test("a match's offset and length are its bytes, also where variants differ in length", () => {
  assert.deepEqual(scan("xK \u212a k\n", options("k")), [[0, "1+1", "3+3", "7+1"]]);
  assert.deepEqual(scan("MA\u1e9eE Maße\n", options("maße")), [[0, "0+6", "7+5"]]);
  assert.deepEqual(scan("MASSE\n", options("maße")), []);
  assert.deepEqual(scan("\u{10400}\u{10428}", options("\u{10428}")), [[0, "0+4", "4+4"]]);
});

test("bytes that are no UTF-8 neither match nor hide a match", () => {
  const bytes = Buffer.from([0xff, 0x61, 0xe2, 0x84, 0x0a, 0xe2, 0x84, 0x6b, 0xc5, 0x0a, 0xbf]);
  assert.deepEqual(scan(bytes, options("A")), [[0, "1+1"]]);
  assert.deepEqual(scan(bytes, options("k")), [[5, "2+1"]]);
  assert.deepEqual(scan(bytes, options("s")), []);
  assert.deepEqual(scan(bytes, options("\ufffd", { caseSensitive: true })), []);
});

test("characters of expressions are characters", () => {
  const text = "a.b axb [a](b)* $^\\ /\n";
  for (const literal of ["a.b", "[a](b)*", "$^\\", "\\ /"]) {
    assert.deepEqual(scan(text, options(literal)).length, 1, literal);
    assert.deepEqual(scan(text, options(literal, { caseSensitive: true })).length, 1, literal);
  }
  assert.deepEqual(scan(text, options("a.b")), [[0, "0+3"]]);
});

test("each matching line once, with and without a final terminator, CR kept in its line", () => {
  assert.deepEqual(scan("aa\n\nba\r\nc\na", options("a")), [
    [0, "0+1", "1+1"],
    [4, "1+1"],
    [10, "0+1"],
  ]);
  assert.deepEqual(scan("x\r\ny\r\n", options("\r")), [
    [0, "1+1"],
    [3, "1+1"],
  ]);
  assert.deepEqual(scan("", options("a")), []);
  assert.deepEqual(scan("aaaa", options("aa")), [[0, "0+2", "2+2"]]);
  assert.deepEqual(scan("aaaa", options("a"), 2), [[0, "0+1", "1+1", "more"]]);
});

test("a match never goes beyond the stretch it was asked for", () => {
  for (const caseSensitive of [true, false]) {
    const matcher = literalMatcher(options("ab", { caseSensitive }));
    const bytes = Buffer.from("ab\nxa\nb\nab");
    const found: number[][] = [];
    matcher.scan(bytes, 3, 8, (start, end) => found.push([start, end]));
    assert.equal(found.length, 0);
    matcher.scan(bytes, 3, 10, (start, end) => found.push([start, end]));
    assert.deepEqual(found, [[8, 10]]);
  }
});

test("whole words: ASCII letters, digits and _ on neither side; a later one in the line counts", () => {
  const word = { wholeWord: true, caseSensitive: true };
  assert.deepEqual(scan("xfoo foo_ foo1 foo\nfoo-foo éfoo\nfood", options("foo", word)), [
    [0, "15+3"],
    [19, "0+3", "4+3", "10+3"],
  ]);
  assert.deepEqual(scan("a-foo -foo\n", options("-foo", word)), [[0, "6+4"]]);
  assert.deepEqual(scan("aaa aa\n", options("aa", word)), [[0, "4+2"]]);
});
