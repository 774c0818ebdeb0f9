/** What a body or block keeps to itself is no entity and takes no name; what the file itself declares is one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../test/support/memory-head.ts";

const LOCALS = "{ function f() {} class C { m() {} } }";
const TYPED_LOCALS = "{ type T = 1; interface I {} enum E {} function g() {} }";
const SOURCES: [path: string, source: string, entities: string[]][] = [
  ["a.ts", `test("a", () => ${TYPED_LOCALS});\nconst x = 1;\n`, ["const x"]],
  ["a.tsx", `test("a", async () => ${TYPED_LOCALS});\nconst x = 1;\n`, ["const x"]],
  ["a.js", `test("a", function () ${LOCALS});\ntest("b", function* () ${LOCALS});\n`, []],
  ["a.js", `module.exports = { setup() ${LOCALS}, get a() ${LOCALS} };\nfunction f() {}\n`, ["function f"]],
  ["a.js", `if (x) ${LOCALS} else ${LOCALS}\nfor (;;) ${LOCALS}\nfor (const a of b) ${LOCALS}\n`, []],
  ["a.js", `while (x) ${LOCALS}\ndo ${LOCALS} while (x);\n${LOCALS}\nlabel: ${LOCALS}\n`, []],
  ["a.js", `try ${LOCALS} catch (e) ${LOCALS} finally ${LOCALS}\n`, []],
  ["a.js", "switch (x) { case 1: function f() {} default: { class C {} } }\nlet y;\n", ["let y"]],
  ["a.js", "class C { static { function f() {} class D {} } m() {} }\n", ["class C", "method C.m"]],
  [
    "a.ts",
    "declare global { interface I {} }\nnamespace N { function f() {} }\n",
    ["interface I", "namespace N", "function N.f"],
  ],
  ["a.js", "const M = (B) => class extends B { m() {} };\n", ["const M", "method M.m"]],
  [
    "a.py",
    "if x:\n    def f(): pass\nelse:\n    class C: pass\ndef g():\n    if x:\n        def h(): pass\n        class D: pass\n",
    ["function f", "class C", "function g"],
  ],
  [
    "a.rs",
    "fn f() { struct S; impl S { fn m() {} } if true { fn g() {} } }\nconst C: fn() = { fn h() {} h };\n",
    ["function f", "const C"],
  ],
  [
    "a.go",
    "package a\n\nvar v = func() { type T struct{} }\n\nfunc f() { if true { type U int } }\n",
    ["var v", "function f"],
  ],
  [
    "A.java",
    "class A { static { class L { void m() {} } } { class M {} } void f() { class N { void n() {} } } }\n",
    ["class A", "method A.f"],
  ],
  [
    "a.cpp",
    "auto v = [] { struct S { int a; }; return 1; };\nstruct B { operator bool() { struct L { int a; }; return true; } };\n",
    ["struct B"],
  ],
  ["a.c", "int f(void) { struct S { int a; }; return 0; }\n", ["function f"]],
  [
    "a.php",
    "<?php\n$a = function () { function f() {} class C {} };\nif ($x) { function g() {} }\n",
    ["function g"],
  ],
];
for (const [path, source, entities] of SOURCES) {
  test(`entities of ${path}: ${JSON.stringify(source)}`, async () => {
    const { located, outline } = await new MemoryHead({ [path]: source }).unit(path);
    assert.deepEqual(outline.faults, []);
    assert.deepEqual(
      located.map(({ entity }) => `${entity.kind} ${entity.qualifiedName}`),
      entities,
    );
  });
}

test("create: a name that is local to a callback is free", async () => {
  const source = "test('a', () => {\n  function helper() {}\n  type T = string;\n});\n\nconst x = 1;\n";
  const head = new MemoryHead({ "a.ts": source });
  const created = await head.create("a.ts", "x", "function", "helper", "function helper() {}");
  assert.equal(textsOf(await head.plan(created))["a.ts"], `${source}\nfunction helper() {}\n`);
});

test("the first of a name at the top of the file is the first, whatever callbacks above declare", async () => {
  const alone = await new MemoryHead({ "a.ts": "function f() {}\n" }).entity("a.ts", "f");
  const below = await new MemoryHead({ "a.ts": "run(() => { function f() {} });\nfunction f() {}\n" }).entity(
    "a.ts",
    "f",
  );
  assert.equal(below.located.entity.id, alone.located.entity.id);
});

for (const extra of ["{ function g() {} }", "run(() => { function g() {} });", "if (x) { class D {} }"]) {
  test(`update: ${extra} beside the declaration`, async () => {
    const head = new MemoryHead({ "a.ts": "function f() {}\n" });
    const { code } = await head.refusal(await head.update("a.ts", "f", `function f() {}\n${extra}`));
    assert.equal(code, "footprint_exceeded");
  });
}
