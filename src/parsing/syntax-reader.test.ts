/**
 * Hostile sources: each is either read or refused with a reason, in bounded time and memory, and the runtime reads an
 * ordinary file right after. The bounds in milliseconds are wide: they catch the square, not the slow machine.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeGrammars } from "../../test/support/node-grammars.ts";
import { readSourceUnit } from "../core/entity/entity.ts";
import type { LanguageName } from "../core/entity/language/spec.ts";
import { LANGUAGES } from "../core/entity/language/table.ts";
import { GitpinError } from "../errors.ts";
import { memoryBytes } from "./runtime.ts";
import { createSyntaxReader } from "./syntax-reader.ts";

const reader = createSyntaxReader(nodeGrammars);

const repeat = (text: string, units: number) => text.repeat(Math.ceil(units / text.length)).slice(0, units);
const SIZE = 500_000;

const bombs: [string, LanguageName, string][] = [
  ["C++ templates", "cpp", repeat("a<", 200_000)],
  ["Go blocks", "go", repeat("{", 200_000)],
  ["Go blocks at the cap", "go", `package a\n${repeat("{", SIZE)}`],
  ["Go parentheses", "go", `package a\nvar x = ${repeat("(", SIZE)}`],
  ["Go balanced parentheses", "go", `package a\nvar x = ${repeat("(", 200_000)}1${repeat(")", 200_000)}\n`],
  ["JavaScript dense object", "javascript", `export default {${repeat("a:1,", SIZE)}}`],
  ["JavaScript arrays", "javascript", repeat("[", SIZE)],
  ["JavaScript templates", "javascript", repeat("`${", SIZE)],
  ["JavaScript functions in functions", "javascript", repeat("function f(){", SIZE)],
  ["JavaScript classes in classes", "javascript", repeat("class A{a=", SIZE)],
  ["JavaScript arrows", "javascript", repeat("a=>", SIZE)],
  ["TypeScript generics", "typescript", `type A = ${repeat("A<", SIZE)}`],
  ["TypeScript unions", "typescript", `type A = ${repeat("A|", SIZE)}A`],
  ["TSX elements", "tsx", repeat("<a>", SIZE)],
  ["Python parentheses", "python", repeat("(", SIZE)],
  [
    "Python indentation",
    "python",
    Array.from({ length: 900 }, (_, depth) => `${" ".repeat(depth)}if 1:\n`).join(""),
  ],
  ["Python decorators", "python", repeat("@a\n", SIZE)],
  ["Python strings", "python", repeat('"""', SIZE)],
  ["Python functions", "python", repeat("def f():pass\n", SIZE)],
  ["Python lambdas", "python", `x = ${repeat("lambda:", SIZE)}1\n`],
  ["Rust blocks", "rust", repeat("{", SIZE)],
  ["Rust raw strings", "rust", repeat('r#"', SIZE)],
  ["Rust generics", "rust", `type A = ${repeat("A<", SIZE)};`],
  ["Rust comments in comments", "rust", repeat("/*", SIZE)],
  ["Rust attributes", "rust", repeat("#[a]\n", SIZE)],
  ["Java generics", "java", `class A { ${repeat("A<", SIZE)}`],
  ["Java annotations", "java", repeat("@A ", SIZE)],
  ["C declarators", "c", `int ${repeat("*", SIZE)}x;`],
  ["C macros", "c", repeat("#define A A\n", SIZE)],
  ["C# attributes", "csharp", repeat("[A]", SIZE)],
  ["Ruby heredocs", "ruby", repeat("<<A\n", SIZE)],
  ["PHP tags", "php", repeat("<?php ?>", SIZE)],
  ["Go comments that close each other", "go", `package a\n\nimport "a" ${repeat("/*", SIZE)}*/\n`],
  ["Python comments", "python", `def f():\n    pass\n${repeat("# a\n", SIZE)}def g():\n    pass\n`],
  ["one line of blanks", "go", `package a${repeat(" ", SIZE)}`],
  ["blank lines", "python", `${repeat("\n", SIZE)}x = 1`],
  ["comments alone", "go", `package a\n${repeat("// a\n", SIZE)}`],
];

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("hostile sources stay bounded and leave the runtime usable", { timeout: 300_000 }, async (context) => {
  for (const [name, language, text] of bombs) {
    await context.test(name, async () => {
      const path = `a.${LANGUAGES[language].extensions[0]}`;
      const started = performance.now();
      const outcome = await readSourceUnit(reader, 1, path, bytesOf(text)).then(
        (unit) => ({ entities: unit.located.length }),
        (error: unknown) => error,
      );
      const milliseconds = performance.now() - started;
      if (outcome instanceof Error) {
        assert.ok(outcome instanceof GitpinError, `${name}: ${outcome.stack}`);
        assert.equal(outcome.code, "source_refused");
        assert.match(String(outcome.data.reason), /^(parse_budget|too_many_errors)$/);
      }
      assert.ok(milliseconds < 8_000, `${name} took ${Math.round(milliseconds)} ms`);
      const after = await readSourceUnit(reader, 1, "b.go", bytesOf("package b\n\nfunc F() {}\n"));
      assert.deepEqual(
        after.located.map(({ entity }) => entity.name),
        ["F"],
      );
    });
  }
  assert.ok(memoryBytes() < 512 * 1024 * 1024, `${memoryBytes()} bytes of wasm memory`);
});

test("what people write is read: a thousand comment lines in a row", async () => {
  const text = `def f():\n    pass\n${"# a longer comment, as one writes them in life\n".repeat(1_000)}\n\ndef g():\n    pass\n`;
  const unit = await readSourceUnit(reader, 1, "a.py", bytesOf(text));
  assert.equal(unit.located.length, 2);
});

test("a text over the cap is not parsed", async () => {
  await assert.rejects(reader.read("go", "x".repeat(512 * 1024 + 1), LANGUAGES.go.query), {
    code: "source_refused",
  });
});

test("a grammar that failed to load is asked for again", async () => {
  let asked = 0;
  const flaky = createSyntaxReader({
    runtime: nodeGrammars.runtime,
    grammar: (language) => {
      asked += 1;
      if (asked === 1) throw new Error("not there yet");
      return nodeGrammars.grammar(language);
    },
  });
  await assert.rejects(flaky.read("go", "package a\n", LANGUAGES.go.query), /not there yet/);
  const reading = await flaky.read("go", "package a\n", LANGUAGES.go.query);
  assert.equal(reading.faults.length, 0);
  await flaky.read("go", "package b\n", LANGUAGES.go.query);
  assert.equal(asked, 2);
});

test("the marker for the boot does not stay on the process", () => {
  assert.equal((process as { type?: string }).type, undefined);
});

test("faults carry kind, type and place", async () => {
  const { faults } = await reader.read(
    "javascript",
    "const x = ;\nfunction f( {}\n",
    LANGUAGES.javascript.query,
  );
  assert.ok(faults.length >= 1);
  assert.deepEqual(
    [faults[0]?.kind, faults[0]?.type, faults[0]?.start, faults[0]?.end],
    ["error", "ERROR", 8, 9],
  );
});

test("the tree is listed around what was wished, the rest by type, span and size", async () => {
  const text = "foo()\nclass A { m() {} }\nbar();\n";
  const at = text.indexOf("m()");
  const wish = (limit: number) => ({ around: () => [{ start: at, end: at + 1 }], limit });
  const { shape } = await reader.read("javascript", text, "", wish(100));
  const told = shape?.map(({ type, depth, start, end, descendants, open }) =>
    [depth, type, text.slice(start, end), descendants, open].join(" "),
  );
  assert.deepEqual(told, [
    "0 expression_statement foo() 5 false",
    "0 class_declaration class A { m() {} } 13 true",
    "1 class class 0 false",
    "1 identifier A 0 false",
    "1 class_body { m() {} } 10 true",
    "2 { { 0 false",
    "2 method_definition m() {} 7 true",
    "3 property_identifier m 0 true",
    "3 formal_parameters () 2 false",
    "3 statement_block {} 2 false",
    "2 } } 0 false",
    "0 expression_statement bar(); 6 false",
  ]);
  assert.equal((await reader.read("javascript", text, "", wish(11))).shape, null);
  assert.equal((await reader.read("javascript", text, "")).shape, null);
});
