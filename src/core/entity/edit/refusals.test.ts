/** What is refused, with which code, and that a refused call plans nothing. One table; the codes are literal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";
import type { RefusalCode } from "./outcome.ts";

const GO = `package a

import (
	"fmt"
	"sync"
)

type S struct{}

func (s *S) Get() {}

func F() { fmt.Println("aaa", "ééé", sync.OnceFunc) }

var a, b = 1, 2

const (
	North = iota
	South
)
`;
const PY = `import os  # used


def f():
    return "[truncated]"


class A:
    # alone
    def only(self):
        pass


if os:
    def inner():
        pass
`;
const TS = "export function f(): void {}\nexport class C {\n  m() {}\n}\nconst a = 1;\n";
const RS = "fn f() {}\n\nstruct S;\n";

const files = {
  "go.mod": "module demo\n",
  "a.go": GO,
  "other.go": "package a\n\nfunc Taken() {}\n",
  "a_linux.go": "package a\n\nfunc L() {}\n",
  "tagged.go": "//go:build ignore\n\npackage a\n\nfunc T() {}\n",
  "commented/c.go": 'package c\n\nimport (\n\t"fmt" // why\n)\n\nvar _ = fmt.Sprint\n',
  "cgo/c.go": 'package c\n\n// #include <x.h>\nimport "C"\n\nfunc X() {}\n',
  "bare/b.go": 'package b\n\nimport "os"\n\nfunc B() { os.Exit(0) }\n',
  "a.py": PY,
  "a.ts": TS,
  "taken.ts": "",
  "a.rs": RS,
  "a.c": "int f(void) { return 1; }\n",
};
const head = new MemoryHead(files);
const goUnit = (over: Record<string, unknown> = {}) => ({
  language: "go",
  package: ".",
  name: "a",
  role: "source",
  ...over,
});
const file = (path: string, language: string) => ({ language, path });

type Build = () => Promise<OperationInput[]> | OperationInput[];
const refusals: [string, RefusalCode, Build][] = [
  ["patch: absent", "anchor_missing", async () => [await head.patch("a.go", "F", ["nowhere", "x"])]],
  [
    "patch: twice, overlapping itself",
    "anchor_ambiguous",
    async () => [await head.patch("a.go", "F", ["aa", "x"])],
  ],
  [
    "patch: twice, beyond ASCII",
    "anchor_ambiguous",
    async () => [await head.patch("a.go", "F", ["éé", "x"])],
  ],
  [
    "patch: anchors overlap",
    "anchors_overlap",
    async () => [await head.patch("a.go", "F", ["fmt.Print", "x"], ["Println", "y"])],
  ],
  [
    "patch: one anchor twice",
    "anchors_overlap",
    async () => [await head.patch("a.go", "F", ["Println", "x"], ["Println", "y"])],
  ],
  [
    "patch: an edit without effect",
    "no_change",
    async () => [await head.patch("a.go", "F", ["Println", "Println"])],
  ],
  [
    "patch: edits that cancel each other",
    "no_change",
    async () => [await head.patch("a.go", "F", ["func ", "func F"], ["F()", "()"])],
  ],
  [
    "patch: an anchor in an earlier replacement",
    "anchor_missing",
    async () => [await head.patch("a.go", "F", ["Println", "Printf"], ["Printf", "x"])],
  ],
  ["patch: rename", "identity_changed", async () => [await head.patch("a.go", "F", ["func F", "func G"])]],
  [
    "patch: other kind",
    "identity_changed",
    async () => [await head.patch("a.go", "S", ["struct{}", "interface{}"])],
  ],
  [
    "patch: unclosed comment hides what follows",
    "syntax_error",
    async () => [await head.patch("a.ts", "f", ["{}", "{} /*"])],
  ],
  ["patch: unclosed block", "syntax_error", async () => [await head.patch("a.go", "F", ["{", "{ {"])]],
  [
    "patch: Python block without a body",
    "syntax_error",
    async () => [await head.patch("a.py", "f", ['    return "[truncated]"', ""])],
  ],
  [
    "patch: Python block with a comment alone",
    "syntax_error",
    async () => [await head.patch("a.py", "f", ['return "[truncated]"', "# later"])],
  ],
  ["update: blank", "invalid_operation", async () => [await head.update("a.go", "F", " \n\t")]],
  [
    "update: cut by whoever printed it",
    "body_truncated",
    async () => [await head.update("a.go", "F", "func F() {\n// ... [truncated]\n")],
  ],
  [
    "update: what stands there already",
    "no_change",
    async () => [await head.update("a.go", "S", "type S struct{}\n")],
  ],
  [
    "update: another name",
    "identity_changed",
    async () => [await head.update("a.py", "f", "def g():\n    pass")],
  ],
  [
    "update: a second declaration",
    "footprint_exceeded",
    async () => [await head.update("a.go", "F", "func F() {}\n\nfunc G() {}")],
  ],
  [
    "update: a statement beside",
    "footprint_exceeded",
    async () => [await head.update("a.ts", "f", "export function f(): void {}\nconsole.log(1);")],
  ],
  [
    "update: an import beside",
    "footprint_exceeded",
    async () => [await head.update("a.py", "f", "import re\n\ndef f():\n    pass")],
  ],
  [
    "update: drops the name it shares with",
    "footprint_exceeded",
    async () => [await head.update("a.go", "a", "var a = 1")],
  ],
  [
    "update: a comment that would join the next entity",
    "footprint_exceeded",
    async () => [await head.update("a.ts", "f", "export function f(): void {}\n// about C?")],
  ],
  ["update: syntax", "syntax_error", async () => [await head.update("a.rs", "f", "fn f() { let = ; }")]],
  [
    "one entity twice",
    "entity_edited_twice",
    async () => [await head.patch("a.go", "F", ["aaa", "b"]), await head.remove("a.go", "F")],
  ],
  [
    "an entity and its owner",
    "edits_overlap",
    async () => [await head.patch("a.ts", "C.m", ["{}", "{ }"]), await head.remove("a.ts", "C")],
  ],
  [
    "create beside what lies in an updated owner",
    "edits_overlap",
    async () => [
      await head.create("a.ts", "C.m", "method", "C.n", "n() {}"),
      await head.update("a.ts", "C", "export class C {}"),
    ],
  ],
  [
    "create: name taken in the file",
    "name_taken",
    async () => [await head.create("a.ts", "f", "const", "a", "const a = 2;")],
  ],
  [
    "create: name taken in the package",
    "name_taken",
    async () => [await head.create("a.go", "F", "function", "Taken", "func Taken() {}")],
  ],
  [
    "create: twice in one call",
    "name_taken",
    async () => [
      await head.create("a.ts", "f", "function", "g", "function g() {}"),
      await head.create("a.ts", "C", "function", "g", "function g() {}"),
    ],
  ],
  [
    "create: another name in the body",
    "name_mismatch",
    async () => [await head.create("a.ts", "f", "function", "g", "function h() {}")],
  ],
  [
    "create: a method named as a function",
    "name_mismatch",
    async () => [await head.create("a.go", "F", "method", "S.Len", "func Len() {}")],
  ],
  [
    "create: another kind in the body",
    "kind_mismatch",
    async () => [await head.create("a.go", "F", "struct", "I", "type I interface{}")],
  ],
  [
    "create: a kind the language has not",
    "kind_mismatch",
    async () => [await head.create("a.py", "f", "interface", "I", "class I:\n    pass")],
  ],
  [
    "create: no entity",
    "kind_mismatch",
    async () => [await head.create("a.ts", "f", "function", "g", "console.log(1);")],
  ],
  [
    "create: two declarations",
    "footprint_exceeded",
    async () => [await head.create("a.go", "F", "function", "G", "func G() {}\nfunc H() {}")],
  ],
  [
    "create: two functions of one name in Go",
    "footprint_exceeded",
    async () => [await head.create("a.go", "F", "function", "G", "func G() {}\n\nfunc G() {}")],
  ],
  [
    "create: package clause",
    "footprint_exceeded",
    async () => [await head.create("a.go", "F", "function", "G", "package a\n\nfunc G() {}")],
  ],
  [
    "create: import in the body",
    "footprint_exceeded",
    async () => [await head.create("a.py", "f", "function", "g", "import re\n\n\ndef g():\n    pass")],
  ],
  [
    "create: cut body",
    "body_truncated",
    async () => [await head.create("a.py", "f", "function", "g", "def g():\n    pass  # [truncated]")],
  ],
  [
    "create: receiver nowhere",
    "receiver_missing",
    async () => [await head.create("a.go", "F", "method", "X.Get", "func (x X) Get() {}")],
  ],
  [
    "create: new file for Rust",
    "placement_refused",
    async () => [await head.create("a.rs", "f", "function", "g", "fn g() {}", "new_source_unit")],
  ],
  [
    "create: new file beside a name with a build meaning",
    "placement_refused",
    async () => [await head.create("a_linux.go", "L", "function", "G", "func G() {}", "new_source_unit")],
  ],
  [
    "create: new file with a build meaning",
    "placement_refused",
    async () => [await head.create("a.go", "F", "function", "g_test", "func g_test() {}", "new_source_unit")],
  ],
  [
    "create: new file beside a build constraint",
    "placement_refused",
    async () => [await head.create("tagged.go", "T", "function", "G", "func G() {}", "new_source_unit")],
  ],
  [
    "create: new file outside",
    "placement_refused",
    async () => [await head.create("a.ts", "f", "function", "../g", "function g() {}", "new_source_unit")],
  ],
  [
    "create: new file for a method",
    "placement_refused",
    async () => [await head.create("a.ts", "C.m", "method", "n", "n() {}", "new_source_unit")],
  ],
  [
    "create: new file over another",
    "unit_occupied",
    async () => [
      await head.create("a.ts", "f", "function", "taken", "function taken() {}", "new_source_unit"),
    ],
  ],
  [
    "create: group of types",
    "footprint_exceeded",
    () => [head.createInUnit(goUnit(), "type", "A", "type (\n\tA int\n\tB int\n)")],
  ],
  [
    "unit: receiver nowhere",
    "receiver_missing",
    () => [head.createInUnit(goUnit({ package: "p", name: "p" }), "method", "X.Get", "func (x X) Get() {}")],
  ],
  [
    "unit: name taken",
    "name_taken",
    () => [head.createInUnit(goUnit(), "function", "Taken", "func Taken() {}")],
  ],
  [
    "unit: another package in the directory",
    "package_mismatch",
    () => [head.createInUnit(goUnit({ name: "b" }), "function", "G", "func G() {}")],
  ],
  [
    "unit: two packages in one call",
    "package_mismatch",
    () => [
      head.createInUnit(goUnit({ package: "p", name: "p" }), "function", "G", "func G() {}"),
      head.createInUnit(goUnit({ package: "p", name: "q" }), "function", "G", "func G() {}"),
    ],
  ],
  [
    "unit: imports in no file",
    "unit_missing",
    () => [head.imports(goUnit({ package: "p", name: "p" }), { add: ["fmt"] })],
  ],
  [
    "unit: language of another file",
    "unit_invalid",
    () => [head.imports(file("a.ts", "python"), { add: ["import os"] })],
  ],
  ["imports: nothing", "invalid_operation", () => [head.imports(file("a.go", "go"), {})]],
  [
    "imports: one twice",
    "invalid_operation",
    () => [head.imports(file("a.go", "go"), { add: ["os"], remove: ["os"] })],
  ],
  ["imports: blank", "invalid_operation", () => [head.imports(file("a.go", "go"), { add: [" "] })]],
  ["imports: Go path outside", "import_invalid", () => [head.imports(file("a.go", "go"), { add: ["../x"] })]],
  [
    "imports: Go path with a quote",
    "import_invalid",
    () => [head.imports(file("a.go", "go"), { add: ['a"b'] })],
  ],
  ["imports: cgo", "import_invalid", () => [head.imports(file("a.go", "go"), { add: ["C"] })]],
  [
    "imports: file that uses cgo",
    "import_conflict",
    () => [head.imports(file("cgo/c.go", "go"), { add: ["fmt"] })],
  ],
  [
    "imports: held under another name",
    "import_conflict",
    () => [head.imports(file("a.go", "go"), { add: ['s "sync"'] })],
  ],
  [
    "imports: comments in the block",
    "import_comments",
    () => [head.imports(file("commented/c.go", "go"), { add: ["os"] })],
  ],
  [
    "imports: Python code",
    "import_invalid",
    () => [head.imports(file("a.py", "python"), { add: ["x = 1"] })],
  ],
  [
    "imports: two Python statements",
    "import_invalid",
    () => [head.imports(file("a.py", "python"), { add: ["import a\nimport b"] })],
  ],
  [
    "imports: TypeScript code",
    "import_invalid",
    () => [head.imports(file("a.ts", "typescript"), { add: ["const x = 1"] })],
  ],
  [
    "imports: Rust code",
    "import_invalid",
    () => [head.imports(file("a.rs", "rust"), { add: ["fn f() {}"] })],
  ],
  [
    "imports: already as asked",
    "unit_imports_unchanged",
    () => [head.imports(file("a.go", "go"), { add: ["fmt"], remove: ["os"] })],
  ],
  ["remove: one of two names", "remove_refused", async () => [await head.remove("a.go", "a")]],
  [
    "remove: a constant others count from",
    "remove_refused",
    async () => [await head.remove("a.go", "North")],
  ],
  [
    "remove: the only method of a Python class",
    "remove_refused",
    async () => [await head.remove("a.py", "A.only")],
  ],
  [
    "remove: the only function of a Python block",
    "remove_refused",
    async () => [await head.remove("a.py", "inner")],
  ],
  [
    "edit of a language that is read only",
    "language_not_editable",
    async () => [await head.patch("a.c", "f", ["1", "2"])],
  ],
];

for (const [name, code, build] of refusals) {
  test(`refused: ${name}`, async () => {
    const refusal = await head.refusal(...(await build()));
    assert.equal(refusal.code, code, JSON.stringify(refusal));
    assert.equal(refusal.applied, false);
    assert.ok(refusal.reason.length > 10 && refusal.next_step.length > 10);
  });
}

test("a refusal of one operation refuses the others with it", async () => {
  const good = await head.patch("a.ts", "f", ["void {}", "void { }"]);
  const bad = await head.patch("a.go", "F", ["nowhere", "x"]);
  assert.equal((await head.refusal(good, bad)).operation, 1);
});

test("a syntax error names line and column of the resulting file", async () => {
  const refusal = await head.refusal(await head.patch("a.ts", "C.m", ["{}", "{ return ( }"]));
  assert.deepEqual(
    refusal.faults?.map(({ path, line }) => ({ path, line })),
    [{ path: "a.ts", line: 3 }],
  );
  assert.ok((refusal.faults?.[0]?.column ?? 0) > 1);
});

test("a body that holds the truncation mark elsewhere is no cut body", async () => {
  const plan = await head.plan(await head.update("a.py", "f", 'def f():\n    return "[truncated]!"'));
  assert.equal(plan.files.length, 1);
});

test("bad Go units are refused before anything is read", async () => {
  const bad = [
    "",
    "/a",
    "a/",
    "a//b",
    "./a",
    "a/../b",
    ".git",
    "_x",
    "testdata",
    "a/vendor",
    "a b",
    "x.go",
    "ä",
  ];
  for (const path of bad) {
    const refusal = await head.refusal(
      head.createInUnit(goUnit({ package: path }), "function", "G", "func G() {}"),
    );
    assert.equal(refusal.code, "unit_invalid", path);
  }
  for (const name of ["func", "_", "a-b", "1a", ""]) {
    const refusal = await head.refusal(head.createInUnit(goUnit({ name }), "function", "G", "func G() {}"));
    assert.equal(refusal.code, "unit_invalid", name);
  }
  for (const unit of [
    { ...goUnit(), path: "x.go" },
    { ...goUnit(), role: "x" },
    { package: ".", name: "a" },
  ]) {
    const refusal = await head.refusal(head.createInUnit(unit, "function", "G", "func G() {}"));
    assert.equal(refusal.code, "unit_invalid");
  }
});

test("two Go modules leave a package path without one directory", async () => {
  const two = new MemoryHead({ "go.mod": "module a\n", "b/go.mod": "module b\n" });
  const refusal = await two.refusal(two.createInUnit(goUnit(), "function", "G", "func G() {}"));
  assert.equal(refusal.code, "unit_invalid");
});

test("files that are no text of their own are refused by name", async () => {
  const bytes = new TextEncoder().encode("def f():\n    pass\n");
  const cases: [string, { mode: string; bytes: Uint8Array }][] = [
    ["symlink", { mode: "120000", bytes }],
    ["submodule", { mode: "160000", bytes: new Uint8Array() }],
    [
      "Git LFS pointer",
      {
        mode: "100644",
        bytes: new TextEncoder().encode("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
      },
    ],
    ["binary", { mode: "100644", bytes: new Uint8Array([0x64, 0, 0x0a]) }],
    ["UTF-8", { mode: "100644", bytes: new Uint8Array([0x64, 0xff, 0x0a]) }],
    ["larger", { mode: "100644", bytes: new Uint8Array(512 * 1024 + 1).fill(0x0a) }],
  ];
  for (const [word, file] of cases) {
    const view = new MemoryHead({ "a.py": file });
    const refusal = await view.refusal(
      view.imports({ language: "python", path: "a.py" }, { add: ["import os"] }),
    );
    assert.equal(refusal.code, "source_refused");
    assert.match(refusal.reason, new RegExp(`a\\.py.*${word}`));
  }
});
