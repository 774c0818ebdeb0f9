/**
 * What stands outside an edit keeps its meaning: literal cases of each way in which text that nobody touched would be read
 * otherwise, and beside each the nearest edit that is safe.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";
import { entityBody } from "../entity.ts";

type Build = (head: MemoryHead) => Promise<OperationInput> | OperationInput;

async function outcome(path: string, source: string, build: Build) {
  const head = new MemoryHead({ [path]: source });
  return head.outcome([await build(head)]);
}

const remove =
  (path: string, name: string): Build =>
  (head) =>
    head.remove(path, name);

const unimport =
  (path: string, language: string, statement: string): Build =>
  (head) =>
    head.imports({ language, path }, { remove: [statement] });

/** Name, path, source, edit, and the line that the refusal speaks of. */
const refusals: [string, string, string, Build, RegExp][] = [
  ...["(function () {})()", "[1].forEach(g)", "`x`", "+x", "-x", "/re/g.test(x)"].map(
    (next): [string, string, string, Build, RegExp] => [
      `two calls become one: ${next}`,
      "a.js",
      `foo()\nfunction f() {}\n${next}\n`,
      remove("a.js", "f"),
      /line 1 \(`foo\(\)`\)/,
    ],
  ),
  [
    "across blanks and comments",
    "a.ts",
    "foo()\n// c\n\nclass C {}\n\n/* d */\n[1].map(g)\n",
    remove("a.ts", "C"),
    /line 1 \(`foo\(\)`\)/,
  ],
  [
    "in a namespace",
    "a.ts",
    "namespace N {\n  foo()\n  const a = 1;\n  [1].map(g)\n}\n",
    remove("a.ts", "N.a"),
    /line 2 \(`foo\(\)`\)/,
  ],
  [
    "a removed import",
    "a.js",
    "foo\nimport x from 'y'\n(bar)\n",
    unimport("a.js", "javascript", "import x from 'y'"),
    /line 1 \(`foo`\)/,
  ],
  [
    "an update without a semicolon",
    "a.js",
    "const a = 1;\n(function () {})()\n",
    (head) => head.update("a.js", "a", "const a = 1"),
    /up to line 2/,
  ],
  [
    "a patch that takes a semicolon away",
    "a.js",
    "const a = 1;\n[1].map(g)\n",
    (head) => head.patch("a.js", "a", ["1;", "2"]),
    /up to line 2/,
  ],
  [
    "a creation without a semicolon",
    "a.js",
    "function a() {}\n(function () {})()\n",
    (head) => head.create("a.js", "a", "const", "b", "const b = c"),
    /up to line 5/,
  ],
  [
    "the statement of an if",
    "a.js",
    "if (x)\nfunction f() {}\nfoo()\n",
    remove("a.js", "f"),
    /line 3 \(`foo\(\)`\)/,
  ],
  ["a labelled statement", "a.js", "l:\nfunction f() {}\nfoo()\n", remove("a.js", "f"), /line 3/],
  [
    "a string that would become a directive",
    "a.js",
    "function f() {}\n'use strict' // why\nfoo()\n",
    remove("a.js", "f"),
    /line 2 .*directive/,
  ],
  [
    "a string that would become a directive behind another",
    "a.js",
    "'use a'\nfunction f() {}\n'use strict'\n",
    remove("a.js", "f"),
    /line 3 .*directive/,
  ],
  [
    "a string that would become the docstring of a file",
    "a.py",
    "def f(): pass\n'''text'''\nfoo()\n",
    remove("a.py", "f"),
    /line 2 .*docstring/,
  ],
  [
    "a string that would become the docstring of a class",
    "a.py",
    "class A:\n    def f(self): pass\n    'text'\n    x = 1\n",
    remove("a.py", "A.f"),
    /line 3 .*docstring/,
  ],
  [
    "a field that would become a getter",
    "a.js",
    "class A {\n  get\n  *m() {}\n  x() {}\n}\n",
    remove("a.js", "A.m"),
    /line 2 \(`get`\)/,
  ],
  [
    "a member that would become static",
    "a.ts",
    "class A {\n  static\n  m() {}\n  x() {}\n}\n",
    remove("a.ts", "A.m"),
    /line 2 \(`static`\)/,
  ],
  [
    "a name that would declare what follows",
    "a.js",
    "let\nfunction f() {}\nx = 1\n",
    remove("a.js", "f"),
    /line 1 \(`let`\)/,
  ],
  [
    "lines behind an arrow function, which the grammar takes for its own",
    "a.js",
    "const f = () => {}\n(a), b\n",
    remove("a.js", "f"),
    /line 1 .*arrow function/,
  ],
];

for (const [name, path, source, build, words] of refusals) {
  test(`refused: ${name}`, async () => {
    const result = await outcome(path, source, build);
    assert.equal(result.status, "refused", JSON.stringify(result));
    if (result.status !== "refused") return;
    assert.equal(result.refusal.code, "footprint_exceeded");
    assert.equal(result.refusal.operation, 0);
    assert.match(result.refusal.reason, words);
    assert.ok(result.refusal.next_step.length > 10);
  });
}

/** Broken by the edit outright: the parser itself says so. */
const faults: [string, string, string, Build][] = [
  ["fields", "a.js", "class A {\n  a = 1\n  m() {}\n  [b]() {}\n}\n", remove("a.js", "A.m")],
  ["a field and a generator", "a.js", "class A {\n  a\n  m() {}\n  *b() {}\n}\n", remove("a.js", "A.m")],
  ["a let and a call", "a.js", "let x\nfunction f() {}\n(foo)\n", remove("a.js", "f")],
];

for (const [name, path, source, build] of faults) {
  test(`refused as a syntax error: ${name}`, async () => {
    const result = await outcome(path, source, build);
    assert.equal(result.status === "refused" && result.refusal.code, "syntax_error", JSON.stringify(result));
  });
}

/** Name, path, source, edit, result. */
const plans: [string, string, string, Build, string][] = [
  [
    "a semicolon above",
    "a.js",
    "foo();\nfunction f() {}\n(function () {})()\n",
    remove("a.js", "f"),
    "foo();\n(function () {})()\n",
  ],
  ["a line that cannot go on", "a.js", "foo()\nfunction f() {}\n++x\n", remove("a.js", "f"), "foo()\n++x\n"],
  [
    "the semicolon of the next line stays",
    "a.js",
    "foo()\nconst a = 1\n;[1].forEach(f)\n",
    remove("a.js", "a"),
    "foo()\n;[1].forEach(f)\n",
  ],
  [
    "the semicolon of the next line stays, behind a comment",
    "a.js",
    "foo()\nexport const a = 1 // c\n\n;[1].forEach(f)\n",
    remove("a.js", "a"),
    "foo()\n\n;[1].forEach(f)\n",
  ],
  [
    "the semicolon of the next line stays, behind an import",
    "a.js",
    "foo\nimport x from 'y'\n;(bar)\n",
    unimport("a.js", "javascript", "import x from 'y'"),
    "foo\n;(bar)\n",
  ],
  [
    "a creation before the semicolon of the next line",
    "a.js",
    "const a = 1\n;(function () {})()\n",
    (head) => head.create("a.js", "a", "const", "b", "const b = 2"),
    "const a = 1\nconst b = 2\n;(function () {})()\n",
  ],
  [
    "a creation behind a list with the semicolon of the next line",
    "a.js",
    "let a = 1, b\n;[1].map(f)\n",
    (head) => head.create("a.js", "b", "function", "g", "function g() {}"),
    "let a = 1, b\n\nfunction g() {}\n\n;[1].map(f)\n",
  ],
  [
    "an update before the semicolon of the next line",
    "a.js",
    "const a = 1\n;[1].map(f)\n",
    (head) => head.update("a.js", "a", "const a = 2"),
    "const a = 2\n;[1].map(f)\n",
  ],
  [
    "a directive stays one",
    "a.js",
    "'use strict'\nfunction f() {}\nfoo()\n",
    remove("a.js", "f"),
    "'use strict'\nfoo()\n",
  ],
  [
    "the first member of a class without any",
    "a.js",
    "class A {\n}\n(b)\n",
    (head) => head.create("a.js", "A", "method", "A.m", "m() {}"),
    "class A {\n  m() {}\n}\n(b)\n",
  ],
  [
    "the last method of a Python class, with a comment behind",
    "a.py",
    "class A:\n    '''text'''\n    def m(self): pass\n# c\nfoo()\n",
    remove("a.py", "A.m"),
    "class A:\n    '''text'''\n# c\nfoo()\n",
  ],
  [
    "an attribute on the line of another item goes with its own",
    "a.rs",
    "fn a() {} #[x]\nfn b() {}\nfn c() {}\n",
    remove("a.rs", "b"),
    "fn a() {} \nfn c() {}\n",
  ],
  [
    "earlier faults elsewhere do not block",
    "a.js",
    "foo()\nfunction f() {}\nbar()\nlet = = ;\nfunction g( {}\n",
    remove("a.js", "f"),
    "foo()\nbar()\nlet = = ;\nfunction g( {}\n",
  ],
];

for (const [name, path, source, build, wanted] of plans) {
  test(`planned: ${name}`, async () => {
    const result = await outcome(path, source, build);
    assert.equal(result.status, "planned", JSON.stringify(result));
    if (result.status === "planned") assert.equal(textsOf(result.plan)[path], wanted);
  });
}

test("a semicolon on a later line is not in the body that is read", async () => {
  const cases: [string, string, string, string][] = [
    ["a.js", "foo()\nconst a = 1\n;[1].forEach(f)\n", "a", "const a = 1"],
    ["a.ts", "export const a = b // c\n  ;[1].map(f)\n", "a", "export const a = b"],
    ["a.ts", "type A = B\n;(c)\n", "A", "type A = B"],
    ["a.js", "export default { a: 1 }\r\n\r\n;(c)\r\n", "default", "export default { a: 1 }"],
    ["a.js", "const a = 1 ;[1].map(f)\n", "a", "const a = 1 ;"],
    ["a.js", "const a = 1;\n", "a", "const a = 1;"],
  ];
  for (const [path, source, name, body] of cases) {
    const { unit, located } = await new MemoryHead({ [path]: source }).entity(path, name);
    assert.equal(entityBody(unit, located), body, source);
  }
});

test("a refusal says what to do: separate the statements", async () => {
  const result = await outcome("a.js", "foo()\nfunction f() {}\n(b)\n", remove("a.js", "f"));
  assert.match(result.status === "refused" ? result.refusal.next_step : "", /`;`/);
});
