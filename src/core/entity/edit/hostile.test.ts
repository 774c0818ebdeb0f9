/**
 * Hostile files and calls against the planner: bounded in time, planned or refused, never a crash. Bounds are wide, they
 * catch the square, not the slow machine.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";
import { entitySource, mintSourceBase } from "../bases.ts";
import type { Located, SourceUnit } from "../entity.ts";

const BIG = 480_000;
const MILLISECONDS = 10_000;

async function bounded(
  name: string,
  files: Record<string, string>,
  build: (head: MemoryHead) => Promise<OperationInput[]> | OperationInput[],
) {
  const head = new MemoryHead(files);
  const operations = await build(head);
  const started = performance.now();
  const outcome = await head.outcome(operations);
  const took = performance.now() - started;
  assert.ok(took < MILLISECONDS, `${name} took ${Math.round(took)} ms`);
  return outcome;
}

const numbered = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");
const python = { language: "python", path: "a.py" };
const typescript = { language: "typescript", path: "a.ts" };

const cases: [
  string,
  Record<string, string>,
  (head: MemoryHead) => Promise<OperationInput[]> | OperationInput[],
][] = [
  [
    "blank lines",
    { "a.py": `def f():\n    pass\n${"\n".repeat(BIG)}def g():\n    pass\n` },
    async (head) => [
      await head.remove("a.py", "g"),
      await head.create("a.py", "f", "function", "h", "def h():\n    pass"),
      head.imports(python, { add: ["import os"] }),
    ],
  ],
  [
    "blanks in a list",
    { "a.ts": `const a = 1${" ".repeat(BIG)}, b = 2;\n` },
    async (head) => [await head.remove("a.ts", "b")],
  ],
  [
    "blanks behind a function",
    { "a.go": `package a\n\nfunc F() {}${" ".repeat(BIG)}\n\nfunc G() {}\n` },
    async (head) => [
      await head.remove("a.go", "F"),
      await head.create("a.go", "G", "function", "H", "func H() {}"),
    ],
  ],
  [
    "many names in one import",
    { "a.ts": `import {${"a,".repeat(20_000)}} from "x";\n` },
    (head) => [head.imports(typescript, { add: ['import {b} from "x";'], remove: ['import {a} from "x";'] })],
  ],
  [
    "an import that says from again and again",
    { "a.ts": `import "${"from ".repeat(BIG / 5)}";\n` },
    (head) => [head.imports(typescript, { add: ['import b from "x";'] })],
  ],
  [
    "many Python imports",
    { "a.py": `${numbered(20_000, (index) => `import m${index}`)}\n` },
    (head) => [head.imports(python, { add: ["import os", "import zz"], remove: ["import m77"] })],
  ],
  [
    "many Rust imports",
    { "a.rs": `${numbered(20_000, (index) => `use m${index};`)}\n` },
    (head) => [head.imports({ language: "rust", path: "a.rs" }, { add: ["use os;"] })],
  ],
  [
    "many Go imports",
    { "a.go": `package a\n\nimport (\n${numbered(20_000, (index) => `\t"m${index}"`)}\n)\n` },
    (head) => [head.imports({ language: "go", path: "a.go" }, { add: ["os"] })],
  ],
  [
    "deep Rust use tree",
    { "a.rs": `use a::{${"b::{".repeat(2_000)}c${"}".repeat(2_000)}};\n` },
    (head) => [head.imports({ language: "rust", path: "a.rs" }, { add: ["use os;"] })],
  ],
  [
    "many comments behind",
    { "a.js": `function f() {}\n${"// c\n".repeat(BIG / 6)}g()\n` },
    async (head) =>
      Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          head.create("a.js", "f", "function", `g${index}`, `function g${index}() {}`),
        ),
      ),
  ],
  [
    "many functions",
    { "a.py": `${numbered(20_000, (index) => `def f${index}(): pass`)}\n` },
    async (head) => [await head.update("a.py", "f100", "def f100(): return")],
  ],
];

for (const [name, files, build] of cases) {
  test(`bounded: ${name}`, async () => {
    const outcome = await bounded(name, files, build);
    assert.notEqual(outcome.status, "conflict");
    if (outcome.status === "refused")
      assert.match(outcome.refusal.code, /^(source_refused|syntax_error|edits_overlap)$/);
  });
}

test("a patch that turns a file into a bomb is refused", async () => {
  const outcome = await bounded("bomb", { "a.go": "package a\n\nfunc F() { x }\n" }, async (head) => [
    await head.patch("a.go", "F", ["x", "{".repeat(200_000)]),
  ]);
  assert.equal(outcome.status === "refused" && outcome.refusal.code, "source_refused");
});

test("a result over the cap is refused", async () => {
  const outcome = await bounded("cap", { "a.go": "package a\n\nfunc F() { x }\n" }, async (head) => [
    await head.patch("a.go", "F", ["x", `/*${"x".repeat(600_000)}*/`]),
  ]);
  assert.equal(outcome.status === "refused" && outcome.refusal.code, "source_refused");
});

const operationsOn = (
  unit: SourceUnit,
  head: MemoryHead,
  make: (located: Located, base: Record<string, unknown>) => Pick<OperationInput, "verb" | "payload">,
) =>
  unit.located.slice(0, 1_000).map((located): OperationInput => {
    const base = mintSourceBase(
      { repository: "demo", branch: "main", head: head.head },
      located.entity,
      entitySource(unit, located),
    );
    return { target: located.entity.id, description: "", ...make(located, base) };
  });

test("a thousand operations of a kind stay bounded", { timeout: 120_000 }, async () => {
  const source = `package a\n\n${numbered(2_000, (index) => `// f${index}\nfunc f${index}() { x }\n`)}`;
  const head = new MemoryHead({ "a.go": source });
  const unit = await head.unit("a.go");
  const kinds: ((
    located: Located,
    base: Record<string, unknown>,
  ) => Pick<OperationInput, "verb" | "payload">)[] = [
    (_, source_base) => ({
      verb: "patch",
      payload: { EntitySourcePatch: { source_base, edits: [{ old_text: "x", new_text: "y" }] } },
    }),
    (_, source_base) => ({ verb: "remove", payload: { EntityRemove: { source_base } } }),
    ({ entity }, source_base) => ({
      verb: "create",
      payload: {
        EntityCreate: {
          source_base,
          placement: "sibling_after",
          name: `n${entity.name}`,
          kind: "function",
          body: `func n${entity.name}() {}`,
        },
      },
    }),
  ];
  for (const make of kinds) {
    const operations = operationsOn(unit, head, make);
    const started = performance.now();
    const plan = await head.plan(...operations);
    assert.ok(performance.now() - started < MILLISECONDS);
    assert.equal(plan.entities.length, 1_000);
  }
});

test("a call over more source than is planned at once is refused, whatever it would change", async () => {
  const file = (name: string) =>
    `function ${name}() { return 1; }\n/*${`${"x".repeat(100)}\n`.repeat(4_900)}*/\n`;
  const names = Array.from({ length: 9 }, (_, index) => `f${index}`);
  const head = new MemoryHead(Object.fromEntries(names.map((name) => [`${name}.js`, file(name)])));
  const operations = await Promise.all(
    names.map((name) => head.patch(`${name}.js`, name, ["return 1", "return 2"])),
  );
  const refusal = await head.refusal(...operations);
  assert.equal(refusal.code, "call_too_large");
  assert.equal(refusal.operation, 8);
  const within = await head.plan(...operations.slice(0, 8));
  assert.equal(within.files.length, 8);
});

test("a plan larger than an answer may be is refused: the path stands in each removed member", async () => {
  const path = `${"p/".repeat(2_000)}a.js`;
  const members = numbered(4_000, (index) => `  m${index}() {}`);
  const head = new MemoryHead({ [path]: `class A {\n${members}\n}\n\nclass B {}\n` });
  const refusal = await head.refusal(await head.remove(path, "A"));
  assert.equal(refusal.code, "call_too_large");
  assert.equal(refusal.operation, null);
});
