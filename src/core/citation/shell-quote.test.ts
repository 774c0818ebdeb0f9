import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { NASTY_PATHS } from "./nasty-paths.fixture.ts";
import { shellQuote } from "./shell-quote.ts";

test("plain words stay plain, the rest is quoted", () => {
  assert.equal(shellQuote("src/main.ts"), "src/main.ts");
  assert.equal(shellQuote(""), "''");
  assert.equal(shellQuote("it's"), "'it'\\''s'");
  assert.equal(shellQuote("a b"), "'a b'");
  assert.equal(shellQuote("a\nb"), "'a\nb'");
  assert.equal(shellQuote("a\x03b"), "'a'\"$(printf '\\003')\"'b'");
  assert.equal(shellQuote("\u202E"), "\"$(printf '\\342\\200\\256')\"");
  assert.throws(() => shellQuote("a\0b"), RangeError);
});

const texts = fc.oneof(
  fc.constantFrom(...NASTY_PATHS),
  fc.string({ unit: "binary", maxLength: 20 }).filter((text) => text.isWellFormed() && !text.includes("\0")),
  fc.string({ unit: fc.constantFrom(..."'\"\\$`!\n\r\t\x03 ab"), maxLength: 12 }),
);

test("sh reads back exactly the text, and no control character but a line feed is printed", () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 20 }), (list) => {
      const words = list.map(shellQuote);
      for (const word of words) assert.doesNotMatch(word, /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${words.join(" ")}`]);
      assert.equal(printed.toString("utf8"), list.map((text) => `${text}\0`).join(""));
    }),
    { numRuns: 60 },
  );
});
