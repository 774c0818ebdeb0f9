/**
 * New files never stand where a checkout that does not tell letter case (macOS, Windows) or composition (macOS) apart
 * would put them over another file, nor under names that Windows cannot make. What folds alike is spelled out by hand here.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";
import { assertPathFree } from "./free-path.ts";
import { nameFault } from "./free-path-name.ts";

const NOTHING = new Uint8Array(0);
const head = new MemoryHead({
  "src/a.ts": "export function a() {}\n",
  "src/foo.ts": "export function foo() {}\n",
  "src/caf\u0065\u0301.ts": "export const x = 1;\n",
  "src/link.ts": { mode: "120000", bytes: new TextEncoder().encode("a.ts") },
  "src/module.ts": { mode: "160000", bytes: NOTHING },
  "src/folder.ts/inside.txt": "text\n",
  "store/store.go": "package store\n\nfunc Get() {}\n",
  "Docs/readme.md": "# Read\n",
  cmd: "a file\n",
  "tools/link": { mode: "120000", bytes: new TextEncoder().encode("../store") },
});

const newFile = (name: string): Promise<OperationInput> =>
  head.create("src/a.ts", "a", "function", name, `export function ${name}() {}`, "new_source_unit");
const inPackage = (path: string, name: string, declared: string, at = head): OperationInput =>
  at.createInUnit({ language: "go", package: path, name }, "function", declared, `func ${declared}() {}`);

const refusals: [name: string, there: string, make: () => Promise<OperationInput> | OperationInput][] = [
  ["a file in other letter case", "src/foo.ts", () => newFile("Foo")],
  ["a file with a decomposed name", "src/caf\u0065\u0301.ts", () => newFile("caf\u00e9")],
  ["both", "src/caf\u0065\u0301.ts", () => newFile("CAF\u00c9")],
  ["a symlink", "src/link.ts", () => newFile("Link")],
  ["a submodule", "src/module.ts", () => newFile("Module")],
  ["a directory", "src/folder.ts", () => newFile("Folder")],
  ["a directory on the way", "store", () => inPackage("Store", "store", "New")],
  ["a directory on the way, further up", "Docs", () => inPackage("docs/deep/er", "er", "New")],
  ["a file on the way", "cmd", () => inPackage("Cmd/tool", "main", "main")],
  ["a file on the way, spelled alike", "cmd", () => inPackage("cmd/tool", "main", "main")],
  ["a symlink on the way", "tools/link", () => inPackage("tools/Link", "link", "New")],
];
for (const [name, there, make] of refusals) {
  test(`refused: ${name}`, async () => {
    const { code, operation, reason } = await head.refusal(await make());
    assert.equal(code, "unit_occupied");
    assert.equal(operation, 0);
    assert.ok(reason.startsWith(`${there} is `), reason);
  });
}

test("two creations of one call are told apart in the same way", async () => {
  const pairs: [string, OperationInput, OperationInput][] = [
    ["src/Fresh.ts", await newFile("Fresh"), await newFile("fresh")],
    ["lib", inPackage("lib", "lib", "A"), inPackage("Lib", "lib", "B")],
    ["lib/deep", inPackage("lib/deep", "deep", "A"), inPackage("lib/Deep", "deep", "B")],
  ];
  for (const [there, first, second] of pairs) {
    const refusal = await head.refusal(first, second);
    assert.equal(refusal.code, "unit_occupied", there);
    assert.equal(refusal.operation, 1);
    assert.ok(refusal.reason.startsWith(`${there} is `), refusal.reason);
  }
});

test("names that only look alike are free", async () => {
  const plan = await head.plan(
    await newFile("fo"),
    await newFile("foo1"),
    inPackage("store/foo", "foo", "A"),
    inPackage("store", "store", "B"),
    inPackage("src", "src", "C"),
    inPackage("stor", "stor", "D"),
  );
  assert.deepEqual(Object.keys(textsOf(plan)), [
    "src/fo.ts",
    "src/foo1.ts",
    "src/src.go",
    "stor/stor.go",
    "store/foo/foo.go",
    "store/store.go",
  ]);
});

test("where a repository holds directories of both spellings, what stands in either is in the way", async () => {
  const both = new MemoryHead({
    "src/a.ts": "export function a() {}\n",
    "Src/b.ts": "export function b() {}\n",
  });
  const make = (name: string) =>
    both.create("src/a.ts", "a", "function", name, `export function ${name}() {}`, "new_source_unit");
  const { code, reason } = await both.refusal(await make("B"));
  assert.equal(code, "unit_occupied");
  assert.ok(reason.startsWith("Src/b.ts is "), reason);
  assert.deepEqual(Object.keys(textsOf(await both.plan(await make("c")))), ["src/c.ts"]);
});

test("the listing of a directory is asked for once a step of the path, never below what is not there", async () => {
  const asked: string[] = [];
  const view = {
    directory: async (path: string) => {
      asked.push(path);
      return path === "" ? [{ path: "src", mode: "040000" }] : [];
    },
  };
  await assertPathFree(view, [], "src/new/deep/file.ts", 0);
  assert.deepEqual(asked, ["", "src"]);
});

test("what file systems fold together is one name", async () => {
  const there = new MemoryHead({
    "src/a.py": "def a():\n    pass\n",
    "src/\u03c3.py": "x = 1\n",
    "src/strasse.py": "x = 1\n",
    "src/s.py": "x = 1\n",
    "src/zero\u200dwidth.py": "x = 1\n",
    "src/dotted.py.": "x = 1\n",
    "src/blank.py ": "x = 1\n",
  });
  const pairs: [name: string, path: string][] = [
    ["\u03c2", "src/\u03c3.py"],
    ["\u03a3", "src/\u03c3.py"],
    ["stra\u00dfe", "src/strasse.py"],
    ["stra\u1e9ee", "src/strasse.py"],
    ["\u017f", "src/s.py"],
    ["zerowidth", "src/zero\u200dwidth.py"],
    ["dotted", "src/dotted.py."],
    ["blank", "src/blank.py "],
  ];
  for (const [name, path] of pairs) {
    const body = `def ${name}():\n    pass`;
    const { code, reason } = await there.refusal(
      await there.create("src/a.py", "a", "function", name, body, "new_source_unit"),
    );
    assert.equal(code, "unit_occupied", name);
    assert.ok(reason.startsWith(`${path} is `), reason);
  }
});

test("a directory whose name only a dot at the end tells apart is that directory", async () => {
  const there = new MemoryHead({ "real/m.go": "package m\n\nfunc A() {}\n" });
  const { code, reason, next_step } = await there.refusal(
    there.createInUnit({ language: "go", package: "real.", name: "m" }, "function", "B", "func B() {}"),
  );
  assert.equal(code, "unit_occupied");
  assert.ok(reason.startsWith("real is there already"), reason);
  assert.equal(next_step, "Spell the directory as it is there: real.");
});

test("no new directory or file of a Go package has a name that only some checkouts can make", async () => {
  const cases: [path: string, name: string, reason: string][] = [
    ["fresh.", "m", 'directory is named "fresh." (for fresh./m.go): that ends in a dot'],
    ["con", "con", 'directory is named "con" (for con/con.go): that names a device'],
    ["nul", "nul", 'directory is named "nul" (for nul/nul.go): that names a device'],
    ["aux/x", "x", 'directory is named "aux" (for aux/x/x.go): that names a device'],
    ["store/COM1.d", "d", 'directory is named "COM1.d" (for store/COM1.d/d.go): that names a device'],
    ["store", "lpt9", 'file is named "lpt9.go" (for store/lpt9.go): that names a device'],
    ["-x", "x", 'directory is named "-x" (for -x/x.go): that begins with a dash'],
    ["git~1", "x", 'directory is named "git~1" (for git~1/x.go): that reads like the short name'],
  ];
  const empty = new MemoryHead({ "go.mod": "module demo\n" });
  for (const [path, name, expected] of cases) {
    const { code, operation, reason } = await empty.refusal(inPackage(path, name, "New", empty));
    assert.equal(code, "unit_invalid", path);
    assert.equal(operation, 0);
    assert.ok(reason.startsWith(`No new ${expected}`), reason);
  }
});

test("an entity named like a device gets no file of its own, but stands beside another", async () => {
  const there = new MemoryHead({
    "src/a.py": "def a():\n    pass\n",
    "src/a.ts": "export function a() {}\n",
  });
  const bodies: [file: string, name: string, path: string, body: string, joined: string][] = [
    [
      "src/a.py",
      "con",
      "src/con.py",
      "def con():\n    pass",
      "def a():\n    pass\n\n\ndef con():\n    pass\n",
    ],
    [
      "src/a.ts",
      "aux",
      "src/aux.ts",
      "export function aux() {}",
      "export function a() {}\n\nexport function aux() {}\n",
    ],
    [
      "src/a.ts",
      "CONIN$",
      "src/CONIN$.ts",
      "export function CONIN$() {}",
      "export function a() {}\n\nexport function CONIN$() {}\n",
    ],
  ];
  for (const [file, name, path, body, joined] of bodies) {
    const { code, reason, next_step } = await there.refusal(
      await there.create(file, "a", "function", name, body, "new_source_unit"),
    );
    assert.equal(code, "unit_invalid");
    const last = path.slice("src/".length);
    assert.equal(
      reason,
      `No new file is named "${last}" (for ${path}): that names a device on Windows, not a file.`,
    );
    assert.equal(next_step, "Put it beside an entity with placement sibling_after, or choose another name.");
    const beside = await there.plan(await there.create(file, "a", "function", name, body, "sibling_after"));
    assert.deepEqual(textsOf(beside), { [file]: joined });
  }
});

test("files and directories that have such names already stay editable, and directories take new files", async () => {
  const there = new MemoryHead({
    "go.mod": "module demo\n",
    "aux/con.go": "package con\n\nfunc A() {}\n",
    "-x/x.go": "package x\n\nfunc A() {}\n",
    "real./real.go": "package other\n\nfunc A() {}\n",
    "real/real.go": "package real\n\nfunc A() {}\n",
    "nul./a.go": "package fresh\n\nfunc A() {}\n",
  });
  const plan = await there.plan(
    inPackage("aux", "con", "B", there),
    inPackage("-x", "x", "B", there),
    inPackage("real.", "other", "B", there),
    inPackage("nul.", "fresh", "B", there),
    await there.patch("-x/x.go", "A", ["{}", "{ println() }"]),
  );
  assert.deepEqual(textsOf(plan), {
    "-x/x.go": "package x\n\nfunc A() { println() }\n\nfunc B() {}\n",
    "aux/con.go": "package con\n\nfunc A() {}\n\nfunc B() {}\n",
    "nul./fresh.go": "package fresh\n\nfunc B() {}\n",
    "real./other.go": "package other\n\nfunc B() {}\n",
  });
});

test("names of new files and directories, one by one", () => {
  const refusedNames = [
    ..."con CON Prn aux nul com1 COM9 lpt1 LPT9 com\u00b9 CONIN$ conout$".split(" "),
    ..."con.py Aux.d.ts nul.tar.gz a. a.py. -a -".split(" "),
    ...["con .txt", "a ", "a<b", "a>b", "a:b", 'a"b', "a|b", "a?b", "a*b", "a\\b", "a\u0001b", "a\u007fb"],
    ..."git~1 LONGNA~12.GO".split(" "),
  ];
  for (const name of refusedNames) assert.notEqual(nameFault(name), null, name);
  const free =
    "cons.py con_.py icon.py com.go com0 com10.go lpt.go nullable.ts a-b a~b ~1a v1.2~rc .env $.ts \u00e9.py";
  for (const name of [...free.split(" "), "a b.py"]) assert.equal(nameFault(name), null, name);
});
