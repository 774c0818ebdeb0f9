/** What is read of each language: kind, qualified name, lines and flags, as literal lists. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../../test/support/memory-head.ts";
import { entityBody } from "./entity.ts";
import { languageOf } from "./language/table.ts";

async function read(path: string, text: string): Promise<string[]> {
  const unit = await new MemoryHead({ [path]: text }).unit(path);
  assert.deepEqual(unit.outline.faults, []);
  return unit.located.map(({ entity, declaration }) => {
    const group = declaration.grouped ? " grouped" : "";
    return `${entity.kind} ${entity.qualifiedName}#${entity.ordinal} ${entity.startLine}-${entity.endLine}${group}`;
  });
}

const SOURCES: [string, string, string[]][] = [
  [
    "a.go",
    '//go:build linux\n\npackage a\n\nimport "fmt"\n\n// S doc\ntype S[K any] struct{ a int }\n\ntype (\n\t// A is\n\tA struct{}\n\tB = string\n\tI interface{ M() }\n)\n\nconst (\n\tX = iota // x\n\tY\n)\nvar a, b = 1, 2\nvar _ I = (*S[int])(nil)\n\nfunc (s *S[K]) Get(k K) { type local int; var in = 1 }\nfunc (A) Put()\nfunc init() {}\nfunc init() {}\ntype Fn func(int)\n',
    [
      "struct S#1 7-8",
      "struct A#1 11-12 grouped",
      "type B#1 13-13 grouped",
      "interface I#1 14-14 grouped",
      "const X#1 18-18 grouped",
      "const Y#1 19-19 grouped",
      "var a#1 21-21",
      "var b#1 21-21",
      "var _#1 22-22",
      "method S.Get#1 24-24",
      "method A.Put#1 25-25",
      "function init#1 26-26",
      "function init#2 27-27",
      "type Fn#1 28-28",
    ],
  ],
  [
    "a.py",
    "#!/usr/bin/env python\nX: int = 1\n\n# far\n\n# about f\n@dec\ndef f(a):\n    def inner(): pass\n    return 1\ntype Y = int\nclass A(B):\n    x = 1\n    @property\n    def f(self): return 1\n    @f.setter\n    def f(self, v): pass\n    class C:\n        async def g(self): ...\nif X:\n    def h(): pass\nx = 1  # tail\ndef last(): pass\n",
    [
      "var X#1 2-2",
      "function f#1 6-10",
      "type Y#1 11-11",
      "class A#1 12-19",
      "method A.f#1 14-15",
      "method A.f#2 16-17",
      "class A.C#1 18-19",
      "method A.C.g#1 19-19",
      "function h#1 21-21",
      "var x#1 22-22",
      "function last#1 23-23",
    ],
  ],
  [
    "a.ts",
    '/** doc */\n@Comp()\nexport class Foo<T> {\n  static #p = 1;\n  @In() h = () => 1;\n  f(a: string): void;\n  f(a: any) { function local() {} }\n  get v() { return 1 }\n  set v(x) {}\n}\nexport const a = 1, b = () => { const inner = 2; };\nexport default function () {}\nexport enum E { A }\nnamespace N { export const z = 1; export class C { m() {} } }\ndeclare global { interface Window { x: 1 } interface Other {} }\ndeclare module "foo" { export function dm(): void }\ndeclare const dc: number;\nconst { d1, d2: [d3] } = x, [d4] = y;\nabstract class Abs { abstract foo(): void; }\n',
    [
      "class Foo#1 1-10",
      "field Foo.#p#1 4-4",
      "method Foo.h#1 5-5",
      "method Foo.f#1 6-6",
      "method Foo.f#2 7-7",
      "method Foo.v#1 8-8",
      "method Foo.v#2 9-9",
      "const a#1 11-11 grouped",
      "const b#1 11-11 grouped",
      "function default#1 12-12",
      "enum E#1 13-13",
      "namespace N#1 14-14",
      "const N.z#1 14-14",
      "class N.C#1 14-14",
      "method N.C.m#1 14-14",
      "interface Window#1 15-15",
      "interface Other#1 15-15",
      "module foo#1 16-16",
      "function foo.dm#1 16-16",
      "const dc#1 17-17",
      "const d1#1 18-18 grouped",
      "const d3#1 18-18 grouped",
      "const d4#1 18-18 grouped",
      "class Abs#1 19-19",
      "method Abs.foo#1 19-19",
    ],
  ],
  [
    "a.jsx",
    "export default { a: 1 };\nclass A { x = () => 1; y = 2; static { const q = 1; } async *gen() {} #priv() {} 'quoted'() {} [k]() {} }\nvar v = class { m() {} };\n(function () { function umd() {} })();\nlet w = <b/>;\n",
    [
      "default default#1 1-1",
      "class A#1 2-2",
      "method A.x#1 2-2",
      "field A.y#1 2-2",
      "method A.gen#1 2-2",
      "method A.#priv#1 2-2",
      "method A.quoted#1 2-2",
      "method A.[k]#1 2-2",
      "var v#1 3-3",
      "method v.m#1 3-3",
      "let w#1 5-5",
    ],
  ],
  [
    "a.rs",
    "//! crate\n/// doc\n#[derive(Debug)]\npub struct S<T> { a: T }\nimpl<T> S<T> {\n    pub fn new() { fn inner() {} }\n    const K: u8 = 1;\n}\nimpl<T> fmt::Display for S<T> { fn fmt(&self) {} }\npub trait Tr { fn m(&self); type Out; }\nmod tests { fn it() {} impl S<u8> { fn z() {} } }\nmacro_rules! mm { () => {} }\npub enum E { A }\nunion U { a: u8 }\nstatic X: u8 = 1;\ntype Al = u8;\n",
    [
      "struct S#1 2-4",
      "impl S<T>#1 5-8",
      "method S.new#1 6-6",
      "const S.K#1 7-7",
      "impl fmt::Display for S<T>#1 9-9",
      "method <S as fmt::Display>.fmt#1 9-9",
      "trait Tr#1 10-10",
      "method Tr.m#1 10-10",
      "type Tr.Out#1 10-10",
      "mod tests#1 11-11",
      "function tests.it#1 11-11",
      "impl tests.S<u8>#1 11-11",
      "method tests.S.z#1 11-11",
      "macro mm#1 12-12",
      "enum E#1 13-13",
      "union U#1 14-14",
      "static X#1 15-15",
      "type Al#1 16-16",
    ],
  ],
  [
    "A.java",
    "/** doc */\n@Anno\npublic class A<T> {\n  private int x, y = 1;\n  A() {}\n  @Override public String toString() { class L {} return null; }\n  void f(int a) {}\n  void f(String a) {}\n  enum E { X; void g() {} }\n  record R(int a) { R {} }\n  interface I { void m(); }\n  @interface M { int v(); }\n}\n",
    [
      "class A#1 1-13",
      "field A.x#1 4-4",
      "field A.y#1 4-4",
      "constructor A.A#1 5-5",
      "method A.toString#1 6-6",
      "method A.f#1 7-7",
      "method A.f#2 8-8",
      "enum A.E#1 9-9",
      "method A.E.g#1 9-9",
      "record A.R#1 10-10",
      "constructor A.R.R#1 10-10",
      "interface A.I#1 11-11",
      "method A.I.m#1 11-11",
      "annotation A.M#1 12-12",
      "method A.M.v#1 12-12",
    ],
  ],
  [
    "a.h",
    "#define X 1\n#define F(a) a\nstruct S { int a; };\ntypedef struct { int b; } T;\n/* doc */\nstatic int *f(int a) { return 0; }\nint **g(void) { return 0; }\nenum E { A };\nunion U { int a; };\n",
    [
      "macro X#1 1-1",
      "macro F#1 2-2",
      "struct S#1 3-3",
      "type T#1 4-4",
      "function f#1 5-6",
      "function g#1 7-7",
      "enum E#1 8-8",
      "union U#1 9-9",
    ],
  ],
  [
    "a.cpp",
    "namespace n {\n// doc\ntemplate <typename T>\nclass C { public: int m() { return 1; } ~C() {} };\n}\nint n::C::q() { return 1; }\nint &r() { static int x; return x; }\nusing A = int;\n",
    [
      "namespace n#1 1-5",
      "class n.C#1 2-4",
      "method n.C.m#1 4-4",
      "method n.C.~C#1 4-4",
      "function n::C::q#1 6-6",
      "function r#1 7-7",
      "type A#1 8-8",
    ],
  ],
  [
    "a.cs",
    "namespace N {\n  /// doc\n  [Attr] public class C { public int P { get; set; } int f; public C() {} void M() {} }\n  enum E { A }\n}\n",
    [
      "namespace N#1 1-5",
      "class N.C#1 2-3",
      "property N.C.P#1 3-3",
      "field N.C.f#1 3-3",
      "constructor N.C.C#1 3-3",
      "method N.C.M#1 3-3",
      "enum N.E#1 4-4",
    ],
  ],
  [
    "a.rb",
    "# frozen_string_literal: true\nmodule M\n  # doc\n  class C\n    def self.x; end\n    def y\n    end\n  end\nend\n",
    ["module M#1 2-9", "class M.C#1 3-8", "def M.C.x#1 5-5", "def M.C.y#1 6-7"],
  ],
  [
    "a.php",
    "<?php\n/** doc */\nclass C { const X = 1; public function m() {} }\ntrait T {}\ninterface I {}\nenum E { case A; }\nfunction f() {}\n",
    [
      "class C#1 2-3",
      "const C.X#1 3-3",
      "method C.m#1 3-3",
      "trait T#1 4-4",
      "interface I#1 5-5",
      "enum E#1 6-6",
      "function f#1 7-7",
    ],
  ],
];

for (const [path, text, entities] of SOURCES) {
  test(`read: ${path}`, async () => assert.deepEqual(await read(path, text), entities));
  test(`read: ${path} with CRLF and BOM`, async () => {
    assert.deepEqual(await read(path, `\uFEFF${text.replaceAll("\n", "\r\n")}`), entities);
  });
}

test("a body is the exact text of its bytes, also behind characters of two units and four bytes", async () => {
  const text =
    "// \u{1F600} é\nexport const a = '\u{1F600}';\n\n/** é */\nexport function f() {\r\n\treturn 1;\n}\n";
  const unit = await new MemoryHead({ "a.ts": text }).unit("a.ts");
  const bodies = unit.located.map((located) => {
    const { startByte, endByte } = located.entity;
    const bytes = new TextDecoder().decode(unit.source.bytes.subarray(startByte, endByte));
    assert.equal(bytes, entityBody(unit, located));
    return bytes;
  });
  assert.deepEqual(bodies, [
    "// \u{1F600} é\nexport const a = '\u{1F600}';",
    "/** é */\nexport function f() {\r\n\treturn 1;\n}",
  ]);
});

test("signatures end before the body", async () => {
  const text =
    "export async function f<T>(\n  a: T,\n  b = 1,\n): Promise<void> {\n  return;\n}\nexport class A extends B {\n  m(): void {}\n}\nexport const x = 1;\n";
  const unit = await new MemoryHead({ "a.ts": text }).unit("a.ts");
  assert.deepEqual(
    unit.located.map(({ entity }) => entity.signature),
    [
      "export async function f<T>( a: T, b = 1, ): Promise<void>",
      "export class A extends B",
      "m(): void",
      "export const x = 1",
    ],
  );
});

test("a comment belongs to what it touches: no blank line, no code before it, no header of the file", async () => {
  const text =
    "package a\n\n// far\n\n// near\n// nearer\nfunc F() {}\n\nvar x = 1 // about x\nfunc G() {}\n\n/* block */ func H() {}\n";
  const unit = await new MemoryHead({ "a.go": text }).unit("a.go");
  assert.deepEqual(
    unit.located.map((located) => entityBody(unit, located)),
    ["// near\n// nearer\nfunc F() {}", "var x = 1", "func G() {}", "/* block */ func H() {}"],
  );
});

test("comments behind code on its line are about that code, however many they are", async () => {
  const text = "package a\n\nvar x = /* one */ 1 // two\nfunc F() {}\n\n/* a */ /* b */ // c\nfunc G() {}\n";
  const unit = await new MemoryHead({ "a.go": text }).unit("a.go");
  assert.deepEqual(
    unit.located.map((located) => entityBody(unit, located)),
    ["var x = /* one */ 1", "func F() {}", "/* a */ /* b */ // c\nfunc G() {}"],
  );
});

test("what the language binds to a declaration belongs to it, with blanks, comments and code before it", async () => {
  const bodies = async (path: string, text: string): Promise<string[]> => {
    const unit = await new MemoryHead({ [path]: text }).unit(path);
    return unit.located.map((located) => entityBody(unit, located));
  };
  assert.deepEqual(
    await bodies(
      "a.rs",
      "// file\n\n// of a\n#[cfg(test)]\n\n// why\n\nfn a() {} #[inline] fn b() {}\n\n/// doc\n\nfn c() {}\n\n//// no doc\n\nfn d() {}\n\n/**/\n\nfn e() {}\n",
    ),
    [
      "// of a\n#[cfg(test)]\n\n// why\n\nfn a() {}",
      "#[inline] fn b() {}",
      "/// doc\n\nfn c() {}",
      "fn d() {}",
      "fn e() {}",
    ],
  );
  assert.deepEqual(
    await bodies(
      "a.go",
      "package a\n\n//go:embed x.txt\n\nvar s string\n\n//go:generate stringer\n\nvar t int\n",
    ),
    ["//go:embed x.txt\n\nvar s string", "var t int"],
  );
  assert.deepEqual(
    (
      await bodies("a.ts", "class C {\n  a = 1;\n\n  @once()\n\n  b() {}\n\n  @log c() {} @log d() {}\n}\n")
    ).slice(1),
    ["a = 1;", "@once()\n\n  b() {}", "@log c() {}", "@log d() {}"],
  );
});

test("Go: every name of a constant is one", async () => {
  const unit = await new MemoryHead({ "a.go": "package a\n\nconst A, B, C = 1, 2, 3\n" }).unit("a.go");
  assert.deepEqual(
    unit.located.map(({ entity }) => [entity.kind, entity.name]),
    [
      ["const", "A"],
      ["const", "B"],
      ["const", "C"],
    ],
  );
});

test("languages by extension, whatever its case; nothing is guessed", () => {
  const names = [
    "a.go",
    "a.PY",
    "b.pyi",
    "a.tsx",
    "a.mts",
    "a.cjs",
    "x/y.rs",
    "a.hpp",
    "a.h",
    "go",
    ".py",
    "a.txt",
    "a.go.bak",
    "Makefile",
  ];
  assert.deepEqual(
    names.map((name) => languageOf(name)?.name ?? null),
    [
      "go",
      "python",
      "python",
      "tsx",
      "typescript",
      "javascript",
      "rust",
      "cpp",
      "c",
      null,
      null,
      null,
      null,
      null,
    ],
  );
});
