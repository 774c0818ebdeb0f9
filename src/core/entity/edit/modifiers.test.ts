/** A word on its own line that belongs to the declaration below it never passes to the neighbour of an edit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const BOTH = [
  "export\nfunction old() {}\n\nfunction next() {}\n",
  "export\nasync function old() {}\n\nfunction next() {}\n",
  "export\nclass old {}\n\nfunction next() {}\n",
  "export\nconst old = 1;\n\nfunction next() {}\n",
  "export // c\nfunction old() {}\n\nfunction next() {}\n",
  "export\n\n/** Doc. */\nfunction old() {}\n\nfunction next() {}\n",
  "export\n@Dec()\nclass old {}\n\nclass next {}\n",
  "export\ndefault\nfunction old() {}\n\nfunction next() {}\n",
  "export default\nfunction old() {}\n\nfunction next() {}\n",
  "const a = 1; export\nfunction old() {}\n\nfunction next() {}\n",
];
const TYPED = [
  "export\ninterface old {}\n\ninterface next {}\n",
  "export\nenum old {}\n\nenum next {}\n",
  "export\ntype old = 1;\n\ntype next = 2;\n",
  "export\nabstract class old {}\n\nclass next {}\n",
  "export abstract\nclass old {}\n\nclass next {}\n",
];
for (const [path, sources] of [
  ["a.ts", [...BOTH, ...TYPED]],
  ["a.tsx", [...BOTH, ...TYPED]],
  ["a.js", BOTH],
] as const) {
  for (const source of sources) {
    test(`remove: the first of ${JSON.stringify(source)} in ${path}`, async () => {
      const head = new MemoryHead({ [path]: source });
      assert.equal((await head.refusal(await head.remove(path, "old"))).code, "footprint_exceeded");
    });
  }
}

test("create: above such a word there is room", async () => {
  const head = new MemoryHead({ "a.ts": "const a = 1;\n\nexport\nfunction f() {}\n" });
  const plan = await head.plan(await head.create("a.ts", "a", "function", "b", "function b() {}"));
  assert.equal(textsOf(plan)["a.ts"], "const a = 1;\n\nfunction b() {}\n\nexport\nfunction f() {}\n");
});

test("update: what stands below such a word stays as it is", async () => {
  const head = new MemoryHead({ "a.ts": "export\nfunction f() {}\n" });
  const { code } = await head.refusal(await head.update("a.ts", "f", "const f = 1;\nfunction f() {}"));
  assert.equal(code, "footprint_exceeded");
});
