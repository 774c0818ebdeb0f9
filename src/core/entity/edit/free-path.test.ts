/**
 * New files never stand where a checkout that does not tell letter case (macOS, Windows) or composition (macOS) apart
 * would put them over another file. What folds alike is spelled out by hand here.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";
import { assertPathFree } from "./free-path.ts";

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
const inPackage = (path: string, name: string, declared: string): OperationInput =>
  head.createInUnit({ language: "go", package: path, name }, "function", declared, `func ${declared}() {}`);

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
