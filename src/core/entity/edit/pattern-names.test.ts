/** Names bound by one pattern or one chain of assignments are all known: none is dropped with another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../../../test/support/memory-head.ts";

test("a name is not removed, nor rewritten alone, where the same declaration binds others", async () => {
  const cases: [string, string, string, string[]][] = [
    ["a.js", "const { a, b: c } = require('x')\nuse(c)\n", "const { a } = require('x')", ["a", "c"]],
    ["a.js", "const { a, ...rest } = x\n", "const { a } = x", ["a", "rest"]],
    ["a.js", "const { a, b = 1 } = x\n", "const { a } = x", ["a", "b"]],
    ["a.js", "const { a, q: { r, s: [t = 2] } } = x\n", "const { a } = x", ["a", "r", "t"]],
    ["a.js", "let [a, ...b] = x\n", "let [a] = x", ["a", "b"]],
    ["a.ts", "export const { a, [k]: b = ({ z }) => z }: T = x;\n", "export const { a }: T = x;", ["a", "b"]],
    ["a.py", "x = y = 3\nz = y\n", "x = 3", ["x", "y", "z"]],
    ["a.py", "a, b = 1, 2\n", "a = 1", ["a", "b"]],
    ["a.py", "a, (b, *c) = [(p, q) for p, q in f()]\n", "a = 1", ["a", "b", "c"]],
    ["a.py", "a = [b, o.c, d[0]] = e, _, _ = f()\n", "a = f()", ["a", "b", "e", "_"]],
  ];
  for (const [path, text, alone, names] of cases) {
    const head = new MemoryHead({ [path]: text });
    const { located } = await head.unit(path);
    assert.deepEqual(
      located.map(({ entity }) => entity.qualifiedName),
      names,
      text,
    );
    const name = names[0] as string;
    assert.equal((await head.refusal(await head.remove(path, name))).code, "remove_refused", text);
    assert.equal((await head.refusal(await head.update(path, name, alone))).code, "footprint_exceeded", text);
  }
});
