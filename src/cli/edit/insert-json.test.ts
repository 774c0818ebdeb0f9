import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { insertJson, TakenError } from "./insert-json.ts";
import { readJsonText } from "./json-text.ts";

const ENTRY = { path: ["mcpServers", "gitpin"], value: { url: "u" } };

test("what is there stays, byte for byte", () => {
  const cases: [string, string][] = [
    ["", '{\n  "mcpServers": {\n    "gitpin": {\n      "url": "u"\n    }\n  }\n}\n'],
    ["{}", '{\n  "mcpServers": {\n    "gitpin": {\n      "url": "u"\n    }\n  }\n}'],
    [
      '{\n\t"a": 1e3,\n\t"mcpServers": {}\n}\n',
      '{\n\t"a": 1e3,\n\t"mcpServers": {\n\t\t"gitpin": {\n\t\t\t"url": "u"\n\t\t}\n\t}\n}\n',
    ],
    [
      '{"mcpServers":{"x":{"url":"\\u0041"}}}',
      '{"mcpServers":{"x":{"url":"\\u0041"},\n    "gitpin": {\n      "url": "u"\n    }\n  }}',
    ],
    [
      '{\r\n  "a": 12345678901234567890\r\n}\r\n',
      '{\r\n  "a": 12345678901234567890,\r\n  "mcpServers": {\r\n    "gitpin": {\r\n      "url": "u"\r\n    }\r\n  }\r\n}\r\n',
    ],
  ];
  for (const [before, after] of cases) assert.equal(insertJson(before, ENTRY, false), after);
});

test("comments stay with what they speak of, and a final comma is no fault", () => {
  const before =
    '// top\n{\n  "a": 1, // one\n  /* two */ "b": [1, 2,], // "mcpServers": {\n  // last\n}\n// end\n';
  const after = insertJson(before, ENTRY, true);
  assert.equal(
    after,
    '// top\n{\n  "a": 1, // one\n  /* two */ "b": [1, 2,], // "mcpServers": {\n  // last\n  "mcpServers": {\n    "gitpin": {\n      "url": "u"\n    }\n  }\n}\n// end\n',
  );
  const same = '{\n  "a": 1 // one\n}';
  assert.equal(insertJson(same, { path: ["b"], value: 2 }, true), '{\n  "a": 1, // one\n  "b": 2\n}');
});

test("an entry that is there is left, another one is not replaced", () => {
  const there = '{"mcpServers":{"gitpin":{"url":"u"}}}';
  assert.equal(insertJson(there, ENTRY, false), there);
  for (const taken of [
    '{"mcpServers":{"gitpin":{"url":"v"}}}',
    '{"mcpServers":[]}',
    '{"mcpServers":null}',
    "[]",
  ]) {
    assert.throws(() => insertJson(taken, ENTRY, false), TakenError);
  }
});

test("an array is added to, once", () => {
  const input = { path: ["inputs"], value: [{ id: "gitpin" }] };
  const first = insertJson('{"inputs": [{"id": "x"}]}', input, false);
  assert.deepEqual(JSON.parse(first), { inputs: [{ id: "x" }, { id: "gitpin" }] });
  assert.equal(insertJson(first, input, false), first);
});

test("text that is not JSON is refused, with its line", () => {
  for (const broken of [
    '{"a": 1,}',
    "{'a': 1}",
    '{"a": 1} x',
    "{\n// c\n}",
    '{"a": 01}',
    '{"a": "\n"}',
    "{",
  ]) {
    assert.throws(() => insertJson(broken, ENTRY, false), SyntaxError, broken);
  }
  assert.throws(() => insertJson('{"a": 1, "a": 2}', ENTRY, false), /line 1/);
  assert.throws(() => readJsonText('{\n\n"a" 1}', false), /line 3: unexpected 1/);
});

test("reads what JSON.parse reads, and changes nothing but the entry", () => {
  const indents = fc.constantFrom(undefined, 2, 4, "\t");
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), indents, (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assert.deepEqual(readJsonText(text, true).value, JSON.parse(text));
      fc.pre(!Object.hasOwn(value, "mcpServers"));
      const after = insertJson(text, ENTRY, false);
      const expected: Record<string, unknown> = { ...(JSON.parse(text) as object) };
      expected.mcpServers = { gitpin: { url: "u" } };
      assert.deepEqual(JSON.parse(after), expected);
    }),
  );
});
