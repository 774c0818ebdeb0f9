/** What is bound to a declaration from above goes and stays with it: else it would silently be about the next one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const removals: [path: string, source: string, entity: string, left: string][] = [
  ["a.rs", "fn a() {}\n\n#[cfg(test)]\n\nfn b() {}\n\nfn c() {}\n", "b", "fn a() {}\n\nfn c() {}\n"],
  [
    "a.rs",
    "struct S;\n\nimpl S {\n    /// Once.\n\n    fn a() {}\n\n    fn b() {}\n}\n",
    "S.a",
    "struct S;\n\nimpl S {\n    fn b() {}\n}\n",
  ],
  [
    "a.go",
    "package a\n\n//go:embed x.txt\n\nvar s string\n\nvar t string\n",
    "s",
    "package a\n\nvar t string\n",
  ],
  ["a.ts", "class C {\n  @once()\n\n  a() {}\n\n  b() {}\n}\n", "C.a", "class C {\n  b() {}\n}\n"],
];
for (const [path, source, entity, left] of removals) {
  test(`remove: ${entity} of ${JSON.stringify(source)}`, async () => {
    const head = new MemoryHead({ [path]: source });
    assert.equal(textsOf(await head.plan(await head.remove(path, entity)))[path], left);
  });
}

const updates: [path: string, source: string, body: string][] = [
  ["a.rs", "fn a() {}\n\nfn b() {}\n", "fn a() {}\n#[cfg(test)]"],
  ["a.rs", "fn a() {}\n\nfn b() {}\n", "fn a() {}\n/// Of none."],
  ["a.go", "package a\n\nfunc a() {}\n\nfunc b() {}\n", "func a() {}\n\n//go:noinline"],
  ["a.ts", "@top\nexport class a {\n}\n\n@bottom\n\nexport class b {}\n", "@top\nexport class a {\n}\n@more"],
];
for (const [path, source, body] of updates) {
  test(`update: ${JSON.stringify(body)} would bind to what follows`, async () => {
    const head = new MemoryHead({ [path]: source });
    const { code } = await head.refusal(await head.update(path, "a", body));
    assert.equal(code, "footprint_exceeded");
  });
}
