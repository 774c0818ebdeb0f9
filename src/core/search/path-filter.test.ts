import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../../errors.ts";
import { isOfLanguage, LANGUAGE_NAMES, languageName } from "./language.ts";
import { type PathSelection, pathFilter } from "./path-filter.ts";

const PATHS = [
  "README.md",
  "src/app.ts",
  "src/app.test.ts",
  "src/deep/x.TS",
  "docs/src/a.md",
  ".env",
  "a/.hidden/b",
  "[x].ts",
];

const selected = (selection: Partial<PathSelection>): string[] =>
  PATHS.filter(pathFilter({ include: [], exclude: [], language: null, ...selection }));

test("globs take what they match and all below it; without a slash at any depth; exclude wins", () => {
  assert.deepEqual(selected({}), PATHS);
  assert.deepEqual(selected({ include: ["*.ts"] }), [
    "src/app.ts",
    "src/app.test.ts",
    "src/deep/x.TS",
    "[x].ts",
  ]);
  assert.deepEqual(selected({ include: ["src"] }), [
    "src/app.ts",
    "src/app.test.ts",
    "src/deep/x.TS",
    "docs/src/a.md",
  ]);
  assert.deepEqual(selected({ include: ["/src/"] }), ["src/app.ts", "src/app.test.ts", "src/deep/x.TS"]);
  assert.deepEqual(selected({ include: ["src/*.ts"] }), ["src/app.ts", "src/app.test.ts"]);
  assert.deepEqual(selected({ include: ["src/**", "*.md"], exclude: ["*.test.*", "docs"] }), [
    "README.md",
    "src/app.ts",
    "src/deep/x.TS",
  ]);
  assert.deepEqual(selected({ include: ["**/*.{md,env}", ".env"] }), ["README.md", "docs/src/a.md", ".env"]);
  assert.deepEqual(selected({ include: ["a"] }), ["a/.hidden/b"]);
  assert.deepEqual(selected({ exclude: ["**"] }), []);
});

test("a language by extension and name, in any case", () => {
  assert.deepEqual(selected({ language: "typescript" }), [
    "src/app.ts",
    "src/app.test.ts",
    "src/deep/x.TS",
    "[x].ts",
  ]);
  assert.deepEqual(selected({ language: "markdown", include: ["docs"] }), ["docs/src/a.md"]);
  assert.equal(languageName(" TS "), "typescript");
  assert.equal(languageName("C++"), "cpp");
  assert.equal(languageName("constructor"), null);
  assert.equal(isOfLanguage("a/Makefile", "make"), true);
  assert.equal(isOfLanguage("a/Dockerfile", "dockerfile"), true);
  assert.equal(isOfLanguage("x.h", "c") && isOfLanguage("x.h", "cpp"), true);
  assert.equal(isOfLanguage("ts", "typescript"), false);
  assert.equal(LANGUAGE_NAMES.length, new Set(LANGUAGE_NAMES).size);
});

test("a glob that cannot be read, and too many, are refused by name", () => {
  const fault = (selection: Partial<PathSelection>): unknown => {
    try {
      selected(selection);
      return null;
    } catch (error) {
      assert(error instanceof GitpinError);
      return [error.code, error.data.field];
    }
  };
  assert.deepEqual(fault({ include: ["src/{a"] }), ["invalid_argument", "paths.include"]);
  assert.deepEqual(fault({ exclude: ["/"] }), ["invalid_argument", "paths.exclude"]);
  assert.deepEqual(fault({ exclude: new Array(21).fill("a") }), ["invalid_argument", "paths.exclude"]);
  assert.equal(fault({ include: ["*a*a*a*a*a*a*a*a*a*a*a*a*b", "{a,a}{a,a}{a,a}{a,a}"] }), null);
});
