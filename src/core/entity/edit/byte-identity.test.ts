/**
 * Properties over random edits of real and made-up sources: bytes outside the edited span stay, an edit undone gives the
 * file back, text read is text accepted back. The oracle is the file's own bytes.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";
import { entityBody, type Located, type SourceUnit } from "../entity.ts";
import { overlapping } from "./splice.ts";

const folder = import.meta.dirname;
const ours = readdirSync(folder)
  .filter((name, index) => name.endsWith(".ts") && !name.endsWith(".test.ts") && index % 3 === 0)
  .map((name): [string, string] => [name, readFileSync(join(folder, name), "utf8")]);

const made: [string, string][] = [
  [
    "m.go",
    'package m\n\nimport "fmt"\n\n// A é.\ntype A struct{ x int }\n\nfunc (a *A) F() string { return fmt.Sprint("\u{1F600}", a.x) }\n\nconst (\n\tX = 1\n\tY = 2\n)\n\nfunc G[T any](t T) T {\n\treturn t\n}\n',
  ],
  [
    "m.py",
    '"""Doc é."""\nimport os\n\n\n@dec\ndef f(a, b="\u{1F600}"):\n    """Doc."""\n    return a\n\n\nclass C:\n    x = 1\n\n    def g(self):\n        return os\n\n    class D:\n        def h(self):\n            return 1\n',
  ],
  [
    "m.rs",
    '//! é\nuse std::fmt;\n\n/// Doc.\n#[derive(Debug)]\npub struct S {\n    a: u8,\n}\n\nimpl S {\n    fn f(&self) -> u8 {\n        self.a\n    }\n}\n\nfn g() -> &\'static str {\n    "\u{1F600}"\n}\n',
  ],
  [
    "M.java",
    'package m;\n\n/** Doc é. */\npublic class M {\n    private int x = 1;\n\n    @Override\n    public String toString() {\n        return "\u{1F600}";\n    }\n}\n',
  ],
  [
    "m.js",
    "// é\nexport const a = 1, b = '\u{1F600}'\n\nclass C {\n  static #x = 1\n  f() { return 1 }\n}\n\nexport default function () {}\n",
  ],
  [
    "m.tsx",
    'export const V = () => <b title="é">\u{1F600}</b>;\n\nexport function W({ a }: { a: string }) {\n  return <V key={a} />;\n}\n',
  ],
];

const sources = [...ours, ...made];
const forms: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => `\uFEFF${text}`,
  (text) => text.replace(/\n$/, ""),
];

const scenario = fc.record({
  source: fc.nat({ max: sources.length - 1 }),
  form: fc.nat({ max: forms.length - 1 }),
  entity: fc.nat({ max: 10_000 }),
  word: fc.nat({ max: 10_000 }),
});

async function setUp({ source, form, entity }: { source: number; form: number; entity: number }) {
  const [path, text] = sources[source] as [string, string];
  const head = new MemoryHead({ [path]: (forms[form] as (text: string) => string)(text) });
  const unit = await head.unit(path);
  const located = unit.located[entity % unit.located.length] as Located;
  return { head, path, unit, located };
}

/** `name#2` counts all of one name, whatever their kind. */
function address(unit: SourceUnit, located: Located): string {
  const same = unit.located.filter(({ entity }) => entity.qualifiedName === located.entity.qualifiedName);
  return `${located.entity.qualifiedName}#${same.indexOf(located) + 1}`;
}

function assertOnlyInside(before: Uint8Array, after: Uint8Array, { entity }: Located): void {
  const tail = before.byteLength - entity.endByte;
  assert.deepEqual(after.subarray(0, entity.startByte), before.subarray(0, entity.startByte));
  assert.deepEqual(after.subarray(after.byteLength - tail), before.subarray(entity.endByte));
}

test("a patch of any word of any entity leaves every byte outside its span", {
  timeout: 300_000,
}, async () => {
  let planned = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async (chosen) => {
      const { head, path, unit, located } = await setUp(chosen);
      const body = entityBody(unit, located);
      const words = [...new Set(body.match(/[\p{L}\p{So}0-9]+/gu))].filter(
        (word) => body.split(word).length === 2,
      );
      const word = words[chosen.word % Math.max(1, words.length)];
      if (word === undefined) return;
      const outcome = await head.outcome([
        await head.patch(path, address(unit, located), [word, `${word}1`]),
      ]);
      // A word that is the name, a keyword or part of the syntax is refused: that plans nothing.
      if (outcome.status !== "planned") return;
      planned += 1;
      const file = outcome.plan.files[0];
      assert.ok(file);
      assertOnlyInside(unit.source.bytes, file.bytes, located);
      const next = new MemoryHead({ [path]: file.bytes }, head);
      const after = await next.unit(path);
      const edited = after.located.find(({ entity }) => entity.id === outcome.plan.entities[0]?.entity.id);
      assert.ok(edited);
      assert.equal(
        entityBody(after, edited),
        body.replace(word, () => `${word}1`),
      );
      const back = await next.plan(
        await next.patch(path, address(after, edited), [entityBody(after, edited), body]),
      );
      assert.deepEqual(back.files[0]?.bytes, unit.source.bytes);
    }),
    { numRuns: 500, seed: 20_261_130 },
  );
  assert.ok(planned > 250, `only ${planned} of the edits were planned`);
});

test("text read is text accepted back: with a comment in front, every entity can be updated", {
  timeout: 300_000,
}, async () => {
  for (const [source, [path]] of sources.entries()) {
    for (const form of [0, 1, 2, 3]) {
      const { head, unit } = await setUp({ source, form, entity: 0 });
      const mark = path.endsWith(".py") ? "# seen" : "// seen";
      for (const located of unit.located) {
        const { text } = unit.source;
        const { span } = located.declaration;
        const lineStart = text.lastIndexOf("\n", span.start - 1) + 1;
        const indentation = text.slice(lineStart, span.start).replace(/^\uFEFF/, "");
        // A declarator in the middle of its line has no line above of its own.
        if (indentation.trim() !== "") continue;
        const body = `${mark}${unit.source.lineEnding}${indentation}${entityBody(unit, located)}`;
        const plan = await head.plan(await head.update(path, address(unit, located), body));
        assertOnlyInside(unit.source.bytes, plan.files[0]?.bytes as Uint8Array, located);
        assert.equal(plan.entities[0]?.entity.id, located.entity.id);
      }
    }
  }
});

test("removing an entity keeps every other one, byte by byte", { timeout: 300_000 }, async () => {
  let planned = 0;
  for (const [source, [path]] of sources.entries()) {
    if (path.endsWith(".java")) continue;
    for (const form of [0, 1, 2, 3]) {
      const { head, unit } = await setUp({ source, form, entity: 0 });
      for (const located of unit.located) {
        const outcome = await head.outcome([await head.remove(path, address(unit, located))]);
        if (outcome.status !== "planned") continue;
        planned += 1;
        const file = outcome.plan.files[0];
        assert.ok(file);
        const after = await new MemoryHead({ [path]: file.bytes }, head).unit(path);
        const { core } = located.declaration;
        const kept = unit.located.filter(
          ({ declaration }) =>
            overlapping([
              { ...core, text: "" },
              { ...declaration.core, text: "" },
            ]) === null,
        );
        const bodies = new Set(after.located.map((one) => entityBody(after, one)));
        for (const one of kept) {
          const body = entityBody(unit, one);
          const alone = one.declaration.grouped && [...bodies].some((text) => text.includes(body));
          assert.ok(
            bodies.has(body) || alone,
            `${path}: ${one.entity.qualifiedName} after removal of ${located.entity.qualifiedName}`,
          );
        }
        assert.equal(/\n$/.test(textsOf(outcome.plan)[path] ?? ""), /\n$/.test(unit.source.text));
        assert.equal(
          (textsOf(outcome.plan)[path] ?? "").startsWith("\uFEFF"),
          unit.source.text.startsWith("\uFEFF"),
        );
      }
    }
  }
  assert.ok(planned > 200, `only ${planned} removals were planned`);
});
