/** Several names declared by one statement: each goes, or changes, as the receipt says, together or alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";

type Build = (head: MemoryHead) => Promise<OperationInput>;
const remove =
  (name: string, path: string): Build =>
  (head) =>
    head.remove(path, name);
const update =
  (name: string, path: string, body: string): Build =>
  (head) =>
    head.update(path, name, body);

/** What a call makes of a file: its text, and effect and name of each entity. */
async function planned(path: string, text: string, builds: readonly Build[]): Promise<[string, string[]]> {
  const head = new MemoryHead({ [path]: text });
  const plan = await head.plan(...(await Promise.all(builds.map((build) => build(head)))));
  const [file] = plan.files;
  assert.ok(file);
  const effects = plan.entities.map(
    ({ effect, entity }) => `${effect} ${entity.kind} ${entity.qualifiedName}`,
  );
  return [new TextDecoder().decode(file.bytes), effects];
}

test("all names of a list of declarators go together, in either order, with the statement", async () => {
  const cases: [string, string, string[], string, string[]][] = [
    [
      "a.js",
      "f();\nconst a = 1, b = 2;\ng();\n",
      ["a", "b"],
      "f();\ng();\n",
      ["removed const a", "removed const b"],
    ],
    [
      "a.js",
      "f();\nconst a = 1, b = 2;\ng();\n",
      ["b", "a"],
      "f();\ng();\n",
      ["removed const b", "removed const a"],
    ],
    [
      "a.js",
      "let a, b, c;\nf();\n",
      ["a", "b", "c"],
      "f();\n",
      ["removed let a", "removed let b", "removed let c"],
    ],
    ["a.js", "let a, b, c;\nf();\n", ["c", "a"], "let b;\nf();\n", ["removed let c", "removed let a"]],
    ["a.js", "let a, b, c;\nf();\n", ["c", "b"], "let a;\nf();\n", ["removed let c", "removed let b"]],
    ["a.js", "var a = 1,\n  b = 2\nf()\n", ["b", "a"], "f()\n", ["removed var b", "removed var a"]],
    [
      "a.ts",
      "f();\nexport const a = 1, b = 2;\n",
      ["a", "b"],
      "f();\n",
      ["removed const a", "removed const b"],
    ],
    [
      "a.ts",
      "declare let a: number, b: string;\nf();\n",
      ["b", "a"],
      "f();\n",
      ["removed let b", "removed let a"],
    ],
  ];
  for (const [path, text, names, expected, effects] of cases) {
    const builds = names.map((name) => remove(name, path));
    assert.deepEqual(await planned(path, text, builds), [expected, effects], `${text} ${names}`);
  }
});

test("one name of a list changes while the others go", async () => {
  const text = "const a = 1, b = 2;\nf();\n";
  const patch: Build = (head) => head.patch("a.js", "b", ["2", "3"]);
  const cases: [Build[], string, string[]][] = [
    [
      [update("b", "a.js", "b = 3"), remove("a", "a.js")],
      "const b = 3;\nf();\n",
      ["edited const b", "removed const a"],
    ],
    [
      [update("a", "a.js", "a = 3"), remove("b", "a.js")],
      "const a = 3;\nf();\n",
      ["edited const a", "removed const b"],
    ],
    [[remove("a", "a.js"), patch], "const b = 3;\nf();\n", ["removed const a", "edited const b"]],
  ];
  for (const [builds, expected, effects] of cases) {
    assert.deepEqual(await planned("a.js", text, builds), [expected, effects]);
  }
});
