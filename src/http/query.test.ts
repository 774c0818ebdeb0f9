/** Query parameters: what was encoded comes back exactly, typed by the schema; nothing else is taken. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as z from "zod";
import { GitpinError } from "../errors.ts";
import { queryArguments } from "./query.ts";

const schema = z.object({
  path: z.string(),
  line: z.number().int().optional(),
  loud: z.boolean().default(false),
  kind: z.enum(["a", "b"]).nullable().optional(),
  names: z.array(z.string()).optional(),
  nested: z.object({ x: z.string() }).optional(),
});

test("any text comes back as it was encoded", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (path) => {
      fc.pre(path.isWellFormed());
      const { search } = new URL(`http://x/?path=${encodeURIComponent(path)}`);
      assert.deepEqual(queryArguments(search, schema), { path });
    }),
  );
});

test("a form's encoding is read as well", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (path) => {
      assert.deepEqual(queryArguments(new URLSearchParams({ path }).toString(), schema), { path });
    }),
  );
});

test("types are the schema's, below optional, default and nullable", () => {
  assert.deepEqual(queryArguments("?path=1&line=-7&loud=true&kind=a", schema), {
    path: "1",
    line: -7,
    loud: true,
    kind: "a",
  });
});

test("a list may be repeated", () => {
  assert.deepEqual(queryArguments("?names=a&names=b", schema), { names: ["a", "b"] });
  assert.deepEqual(queryArguments("?names=a", schema), { names: ["a"] });
  assert.deepEqual(queryArguments("?names=%5B%22a%22,%22b%22%5D", schema), { names: ["a", "b"] });
  assert.deepEqual(queryArguments("?names=[ab]c", schema), { names: ["[ab]c"] });
});

const fieldOf = (search: string): unknown => {
  try {
    queryArguments(search, schema);
  } catch (error) {
    if (error instanceof GitpinError && error.code === "invalid_argument") return error.data.field;
    throw error;
  }
  return "accepted";
};

for (const [search, field] of [
  ["?nothing=1", "nothing"],
  ["?toString=1", "toString"],
  ["?path=a&path=a", "path"],
  ["?path=", "path"],
  ["?path=%C3", "path"],
  ["?path=%zz", "path"],
  ["?%C3=1", "query"],
  ["?line=0x10", "line"],
  ["?line=%201", "line"],
  ["?line=Infinity", "line"],
  ["?line=1_0", "line"],
  ["?loud=TRUE", "loud"],
  ["?names=a&names=", "names"],
  ["?nested=%7B%7D", "nested"],
] as const) {
  test(`${search}: wrong in ${field}`, () => assert.equal(fieldOf(search), field));
}
