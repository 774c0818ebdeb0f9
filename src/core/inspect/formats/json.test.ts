import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJson, parseJsonc } from "./json.ts";

const filler = fc.constantFrom("", " ", "\n", "/* , } ] */", '// , " ]\n', "/**/", "/* * / */\t");

/** Prints a value as JSON with a filler between every two tokens and a comma before closing brackets. */
function print(value: unknown, next: () => string, comma: boolean): string {
  const tail = comma ? `${next()},${next()}` : next();
  if (Array.isArray(value)) {
    const items = value.map((item) => print(item, next, comma));
    return items.length === 0 ? `[${next()}]` : `[${items.join(`${next()},`)}${tail}]`;
  }
  if (typeof value === "object" && value !== null) {
    const items = Object.entries(value).map(
      ([key, item]) => `${next()}${JSON.stringify(key)}${next()}:${print(item, next, comma)}`,
    );
    return items.length === 0 ? `{${next()}}` : `{${items.join(`${next()},`)}${tail}}`;
  }
  return `${next()}${JSON.stringify(value)}${next()}`;
}

test("comments and last commas change no value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.infiniteStream(filler), fc.boolean(), (value, fillers, comma) => {
      const text = print(value, () => fillers.next().value ?? "", comma);
      assert.deepEqual(parseJsonc(text), { value: JSON.parse(JSON.stringify(value)) });
    }),
  );
});

test("plain JSON reads the same either way, and what is no JSON stays none", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const plain = parseJson(text);
      if ("value" in plain) assert.deepEqual(parseJsonc(text), plain);
    }),
  );
  for (const text of [
    "",
    ",",
    "[,]",
    "[1,,]",
    "{,}",
    '{"a":1,,}',
    "[1]/*",
    '["a',
    "1 /* */ 2",
    "/",
    "1,",
    "[1/2]",
  ]) {
    assert.deepEqual(parseJsonc(text), { fault: "it is not valid JSON with comments" }, text);
  }
});
