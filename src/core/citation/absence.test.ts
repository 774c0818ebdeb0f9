/** Absence handles: printed and read back for every search, and nothing else is read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GitpinError } from "../../errors.ts";
import { type Absence, parseAbsence, printAbsence } from "./absence.ts";
import { absenceCommands } from "./absence-commands.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const text = fc
  .string({ unit: "binary", minLength: 1, maxLength: 40 })
  .filter((value) => value.isWellFormed());

const absences: fc.Arbitrary<Absence> = fc.record(
  {
    repository: fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/),
    sha: fc.constant(SHA),
    query: text,
    mode: fc.constantFrom("literal" as const, "regex" as const),
    caseSensitive: fc.boolean(),
    wholeWord: fc.boolean(),
    include: fc.array(text, { maxLength: 3 }),
    exclude: fc.array(text, { maxLength: 3 }),
    language: fc.option(fc.constantFrom("go", "cpp", "typescript")),
    documents: fc.boolean(),
  },
  { noNullPrototype: true },
);

test("what is printed reads back as it was, and is one word without quotes", () => {
  fc.assert(
    fc.property(absences, (absence) => {
      const printed = printAbsence(absence);
      assert.deepEqual(parseAbsence(printed), absence);
      assert.deepEqual(parseAbsence(` ${printed}\n`), absence);
      assert.match(printed, /^[A-Za-z0-9._%?=&:@-]+$/);
    }),
  );
});

const plain: Absence = {
  repository: "app",
  sha: SHA,
  query: "it's (a) test",
  mode: "literal",
  caseSensitive: false,
  wholeWord: false,
  include: [],
  exclude: [],
  language: null,
  documents: false,
};

test("the printed form", () => {
  assert.equal(printAbsence(plain), `gitpin-absence:app@${SHA}?q=it%27s%20%28a%29%20test`);
  const full: Absence = {
    ...plain,
    query: "a",
    mode: "regex",
    caseSensitive: true,
    wholeWord: true,
    include: ["src", "*.ts"],
    exclude: ["x/**"],
    language: "go",
    documents: true,
  };
  assert.equal(
    printAbsence(full),
    `gitpin-absence:app@${SHA}?q=a&mode=regex&case=1&word=1&in=src&in=%2A.ts&not=x%2F%2A%2A&language=go&docs=1`,
  );
});

test("anything else is refused", () => {
  for (const wrong of [
    "",
    "gitpin:app@0123456:a",
    `gitpin-absence:app@${SHA}`,
    `gitpin-absence:app@${SHA}?`,
    `gitpin-absence:app@${SHA}?mode=regex`,
    `gitpin-absence:app@${SHA}?q=`,
    `gitpin-absence:app@${SHA}?q=a&q=b`,
    `gitpin-absence:app@${SHA}?q=a&case=0`,
    `gitpin-absence:app@${SHA}?q=a&mode=glob`,
    `gitpin-absence:app@${SHA}?q=a&x=1`,
    `gitpin-absence:app@${SHA}?q=%ff`,
    `gitpin-absence:app@${SHA}?q=%`,
    `gitpin-absence:app@${SHA}?q=a b`,
    `gitpin-absence:a/b@${SHA}?q=a`,
    "gitpin-absence:app@main?q=a",
  ]) {
    assert.throws(
      () => parseAbsence(wrong),
      (error) => error instanceof GitpinError && error.code === "invalid_citation",
      wrong,
    );
  }
});

test("commands: git's own words where it has them", () => {
  const service = { publicUrl: "https://gitpin.example/", needsToken: true, denied: [] };
  const { gitGrep, gitpinCli, curl } = absenceCommands({ ...plain, exclude: ["docs"] }, service);
  assert.equal(
    gitGrep,
    `git grep -n -I -F -i -e 'it'\\''s (a) test' ${SHA} -- ':(top)' ':(top,icase,glob,exclude)docs' ':(top,icase,glob,exclude)docs/**' ':(top,icase,glob,exclude)**/docs' ':(top,icase,glob,exclude)**/docs/**'`,
  );
  assert.match(gitpinCli, /^gitpin verify --absence 'gitpin-absence:app@/);
  assert.match(
    curl,
    /^curl -fsS -H "Authorization: Bearer \$GITPIN_TOKEN" 'https:\/\/gitpin\.example\/v1\/verify\?absence=/,
  );
  for (const unspeakable of [
    { language: "go" },
    { documents: true },
    { include: ["*.{a,b}"] },
    { query: "é" },
  ]) {
    assert.equal(absenceCommands({ ...plain, ...unspeakable }, service).gitGrep, null);
  }
  assert.equal(
    absenceCommands({ ...plain, query: "a", include: ["src"] }, { ...service, denied: ["src/it's [1].env"] })
      .gitGrep,
    `git grep -n -I -F -i -e a ${SHA} -- ':(top,icase,glob)src' ':(top,icase,glob)src/**' ':(top,icase,glob)**/src' ':(top,icase,glob)**/src/**' ':(top,exclude,literal)src/it'\\''s [1].env'`,
  );
  for (const denied of [null, ["a\nb.env"], ["\ufffd.env"]]) {
    assert.equal(absenceCommands(plain, { ...service, denied }).gitGrep, null);
  }
});
