/** Where a method goes in its owner, and how deep; the Python results are compiled by CPython where it is on the PATH. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { type EditCase, type Replacement, runCases } from "../../../../test/support/edit-cases.ts";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const K = "def k(self):\n    return 1";

const method = (
  name: string,
  source: string,
  expect: Replacement[],
  path = "a.py",
  body = K,
  form: Partial<EditCase> = {},
): EditCase => ({
  name,
  path,
  source,
  operations: async (head, text) => [await head.create(path, "A", "method", "A.k", text(body))],
  expect,
  ...form,
});

const python = [
  method(
    "a method in a block of the class is not the depth of the class",
    "class A:\n    y = 1\n    if X:\n        def m(self): pass\n    else:\n        m = None\n\n\nz = 1\n",
    [["m = None\n", "m = None\n\n    def k(self):\n        return 1\n"]],
  ),
  method(
    "the first statement of the class is a block",
    "class A:\n  try:\n      def m(self): pass\n  except E:\n      m = None\n",
    [["m = None", "m = None\n\n  def k(self):\n    return 1"]],
  ),
  method(
    "the last statement of a class ends in a brace",
    "class A:\n    def to_dict(self):\n        return {'a': 1}\n",
    [["{'a': 1}", "{'a': 1}\n\n    def k(self):\n        return 1"]],
  ),
  method("the last line of a class is an empty dictionary", "class A:\n    meta = {}\n\n\nx = 1\n", [
    ["meta = {}", "meta = {}\n\n    def k(self):\n        return 1"],
  ]),
  method("a comment stands behind the last statement", "class A:\n    meta = {}  # none\n", [
    ["# none", "# none\n\n    def k(self):\n        return 1"],
  ]),
  method("a semicolon stands behind the last statement", "class A:\n    meta = {};\n\n\nx = 1\n", [
    ["{};", "{};\n\n    def k(self):\n        return 1"],
  ]),
  method("attributes at two blanks", "class A:\n  size = 3\n\n\ndef f():\n    return 1\n", [
    ["size = 3", "size = 3\n\n  def k(self):\n    return 1"],
  ]),
  method(
    "attributes at a tab",
    "def f():\n    return 1\n\n\nclass A:\n\tsize = 3\n",
    [["size = 3", "size = 3\n\n\tdef k(self):\n\t\treturn 1"]],
    "a.py",
    "def k(self):\n\treturn 1",
  ),
  method(
    "a class in the bases, a decorator and a docstring",
    'def f(x):\n  return x\n\n\n@f\nclass A(\n      f(object),\n):\n    """Doc."""\n    # note\n    class B:\n        b = 1\n',
    [["b = 1", "b = 1\n\n    def k(self):\n        return 1"]],
  ),
];

const order = (name: string, body: string, now: string, kind: "function" | "class" | "const"): EditCase => ({
  name: `one place, the outer ${kind} asked for first`,
  path: "a.py",
  source: "class A:\n    def m(self):\n        pass\n\n\nx = 1\n",
  operations: async (head, text) => [
    await head.create("a.py", "A", kind, name, text(body)),
    await head.create("a.py", "A.m", "method", "A.n", text("def n(self):\n    return 1")),
    await head.create("a.py", "A", "method", "A.k", text(K)),
  ],
  expect: [
    [
      "pass\n",
      `pass\n\n    def n(self):\n        return 1\n\n    def k(self):\n        return 1\n\n\n${now}\n`,
    ],
  ],
});

const orders = [
  order("g", "def g():\n    return 2", "def g():\n    return 2", "function"),
  order("G", "class G:\n    y = 2", "class G:\n    y = 2", "class"),
];

const braces = [
  method(
    "TypeScript: a semicolon behind the class",
    "class A {\n  x = 1;\n};\n\nconst y = { a: 1 };\n",
    [["x = 1;", "x = 1;\n\n  k() {\n    return 1;\n  }"]],
    "a.ts",
    "k() {\n  return 1;\n}",
  ),
  method(
    "TypeScript: the body of another class in the head",
    "class A extends (class { y() {} }) {\n    x = 1;\n}\n",
    [["x = 1;", "x = 1;\n\n    k() {}"]],
    "a.ts",
    "k() {}",
  ),
  method(
    "TypeScript: an empty class in a file of four blanks",
    "/**\n * About f.\n */\nfunction f() {\n    return 1;\n}\n\nclass A {}\n",
    [["class A {}", "class A {\n    k() {}\n}"]],
    "a.ts",
    "k() {}",
  ),
  method(
    "Rust: a constant before the functions, in a file of four blanks",
    "struct A;\n\nimpl A {\n    const N: u8 = 1;\n}\n",
    [["= 1;", "= 1;\n\n    fn k() {}"]],
    "a.rs",
    "fn k() {}",
    {
      operations: async (head) => [await head.create("a.rs", "A#2", "method", "A.k", "fn k() {}")],
    },
  ),
];

const results = runCases("owner body", [...python, ...orders]);
runCases("owner body", braces);

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test("owner body: CPython compiles every result", {
  skip: hasPython ? false : "no python3 on the PATH",
}, () => {
  assert.equal(results.size, python.length + orders.length);
  const texts = [...results.values()].map(({ text }) => text);
  const program = "import json, sys\nfor text in json.load(sys.stdin): compile(text, 'a.py', 'exec')";
  const run = spawnSync("python3", ["-c", program], { input: JSON.stringify(texts), encoding: "utf8" });
  assert.equal(run.stderr, "");
  assert.equal(run.status, 0);
});

test("the order of creations beside one another is the caller's", async () => {
  const head = new MemoryHead({ "a.py": "class A:\n    x = 1\n" });
  const create = (name: string) => head.create("a.py", "A", "method", `A.${name}`, `def ${name}(self): pass`);
  const plan = await head.plan(await create("b"), await create("a"));
  assert.equal(
    textsOf(plan)["a.py"],
    "class A:\n    x = 1\n\n    def b(self): pass\n\n    def a(self): pass\n",
  );
});

test("Python: a body on the line of its class takes no method", async () => {
  const head = new MemoryHead({ "a.py": "class A: pass\n\n\nclass B: x = 1; y = {}\n" });
  for (const name of ["A", "B"]) {
    const { code, reason } = await head.refusal(await head.create("a.py", name, "method", `${name}.k`, K));
    assert.equal(code, "placement_refused");
    assert.match(reason, new RegExp(`The body of ${name} stands on the line of its head`));
  }
});

after(() => results.clear());
