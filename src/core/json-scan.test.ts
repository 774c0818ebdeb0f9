/** Spans of JSON against JSON.parse, on generated values, and on texts that are cut. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { elementSpans, memberSpans, parseSpan, type Span } from "./json-scan.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function membersOf(bytes: Uint8Array): Record<string, unknown> | null {
  const spans = memberSpans(bytes);
  if (spans === null) return null;
  return Object.fromEntries([...spans].map(([name, span]) => [name, parseSpan(bytes, span)]));
}

test("members are those of JSON.parse, however the text is laid out", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ unit: "binary" }).filter((name) => name !== "__proto__"),
        fc.jsonValue(),
        { noNullPrototype: true },
      ),
      fc.constantFrom(undefined, 1, "\t", "\r\n "),
      (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(membersOf(bytesOf(text)), JSON.parse(text));
      },
    ),
  );
});

test("elements are those of JSON.parse", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 2), (value, indent) => {
      const bytes = bytesOf(JSON.stringify(value, null, indent));
      const spans = [...elementSpans(bytes, { from: 0, to: bytes.length })];
      const read = (span: Span | null): unknown =>
        span === null ? assert.fail("cut") : parseSpan(bytes, span);
      assert.deepEqual(spans.map(read), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("a text that was cut anywhere is noticed", () => {
  const text = '{"a":[1,{"b":"x\\"}"},"]"],"c" : "\\\\" , "d":{}}';
  for (let length = 0; length < text.length; length++) {
    assert.equal(memberSpans(bytesOf(text.slice(0, length))), null, text.slice(0, length));
  }
  const list = '[{"a":"]"},[2],"\\""]';
  for (let length = 0; length < list.length; length++) {
    const bytes = bytesOf(list.slice(0, length));
    assert.equal([...elementSpans(bytes, { from: 0, to: length })].at(-1), null, list.slice(0, length));
  }
});

test("of equal names the last one counts, and nesting is no recursion", () => {
  assert.deepEqual(membersOf(bytesOf('{"a":1,"a":2}')), { a: 2 });
  const deep = `{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)},"b":1}`;
  assert.deepEqual(memberSpans(bytesOf(deep))?.size, 2);
});

test("what is no object or array is refused", () => {
  for (const text of [
    "",
    " ",
    "[]",
    "1",
    '"a"',
    "{,}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    "{1:2}",
  ]) {
    assert.equal(memberSpans(bytesOf(text)), null, text);
  }
  for (const text of ["{}", "[,]", "[1,]", "[1 2]"]) {
    const spans = [...elementSpans(bytesOf(text), { from: 0, to: text.length })];
    assert.equal(spans.at(-1), null, text);
  }
});
