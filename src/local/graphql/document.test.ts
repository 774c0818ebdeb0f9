import assert from "node:assert/strict";
import { test } from "node:test";
import { chosen, ParseError, parseDocument } from "./document.ts";

test("operations with names, variables, arguments of every kind, aliases and selections", () => {
  const [operation] = parseDocument(`
    # a comment
    mutation Move($id: ID!, $refs: [RefUpdate!]! = [], $flag: Boolean = true) {
      first: updateRefs(input: {repositoryId: $id, refUpdates: [{force: false, n: -1.5e3, e: ENUM, s: "a\\n\\u00e9", z: null}]}) {
        clientMutationId
      }
    }`);
  assert.equal(operation?.type, "mutation");
  assert.equal(operation?.name, "Move");
  assert.deepEqual(
    operation?.variables.map(({ name, required }) => [name, required]),
    [
      ["id", true],
      ["refs", false],
      ["flag", false],
    ],
  );
  const [field] = operation?.selection ?? [];
  assert.deepEqual(
    [field?.name, field?.key, field?.location],
    ["updateRefs", "first", { line: 4, column: 7 }],
  );
  const plain = (value: unknown) => ({ kind: "plain", value });
  assert.deepEqual(field?.arguments.get("input"), {
    kind: "object",
    members: new Map<string, unknown>([
      ["repositoryId", { kind: "variable", name: "id" }],
      [
        "refUpdates",
        {
          kind: "list",
          items: [
            {
              kind: "object",
              members: new Map([
                ["force", plain(false)],
                ["n", plain(-1500)],
                ["e", plain("ENUM")],
                ["s", plain("a\né")],
                ["z", plain(null)],
              ]),
            },
          ],
        },
      ],
    ]),
  });
  assert.deepEqual(
    field?.selection.map(({ key }) => key),
    ["clientMutationId"],
  );
});

test("block strings lose their common indentation", () => {
  const [operation] = parseDocument('{ f(a: """\n    one\n      two \\"""\n\n    three\n  """) }');
  assert.deepEqual(operation?.selection[0]?.arguments.get("a"), {
    kind: "plain",
    value: 'one\n  two """\n\nthree',
  });
});

test("of several operations the one that is named", () => {
  const several = parseDocument("query A { a } query B { b }");
  assert.equal(chosen(several, "B")?.selection[0]?.name, "b");
  assert.equal(chosen(several, undefined), undefined);
  assert.equal(chosen(several, "C"), undefined);
  assert.equal(chosen(parseDocument("{ a }"), undefined)?.type, "query");
});

test("what is no document, with the place of the fault", () => {
  const cases: [string, string][] = [
    ["", "Unexpected end of document at [1, 1]"],
    ["{ a", "Unexpected end of document at [1, 4]"],
    ["{ }", 'Parse error on "}" at [1, 3]'],
    ["{\n a(b: )\n}", 'Parse error on ")" at [2, 7]'],
    ["{ a ... on T { b } }", 'Parse error on "..." at [1, 5]'],
    ["{ a ? }", 'Parse error on "?" at [1, 5]'],
    ['{ a(b: "\\x") }', 'Parse error on "\\"\\\\x\\"" at [1, 8]'],
    ["subscription { a }", 'Parse error on "subscription" at [1, 1]'],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => parseDocument(text),
      (reason: unknown) => reason instanceof ParseError && reason.message === message,
      text,
    );
  }
});
