import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GitpinError } from "../../errors.ts";
import { type CitedPlace, printCite, printHandle } from "./cite.ts";
import { anyPath, NASTY_PATHS } from "./nasty-paths.fixture.ts";
import { parseCitation } from "./parse.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const place = (
  sourcePath: string,
  line: number | null = null,
  lineEnd: number | null = line,
): CitedPlace => ({
  repository: "app",
  sourcePath,
  sha: SHA,
  line,
  lineEnd,
});

test("both forms are printed as the contract writes them", () => {
  assert.equal(printCite(place("src/main.ts", 3)), `app/src/main.ts:3 @ ${SHA}`);
  assert.equal(printCite(place("src/main.ts", 3, 7)), `app/src/main.ts:3-7 @ ${SHA}`);
  assert.equal(printCite(place("src/main.ts")), `app/src/main.ts @ ${SHA}`);
  assert.equal(printHandle(place("src/main.ts")), `gitpin:app@${SHA}:src/main.ts`);
  assert.equal(printHandle(place("src/main.ts", 3)), `gitpin:app@${SHA}:src/main.ts:3`);
  assert.equal(printHandle(place("src/main.ts", 3, 7)), `gitpin:app@${SHA}:src/main.ts:3-7`);
  assert.equal(
    printCite(place("docs/a:b @#c\n100%é.md", 1)),
    `app/docs/a%3Ab%20%40%23c%0A100%25é.md:1 @ ${SHA}`,
  );
  assert.equal(printCite(place("\u202Etxt\u2028\u00a0.exe")), `app/%E2%80%AEtxt%E2%80%A8%C2%A0.exe @ ${SHA}`);
  assert.equal(printHandle(place("")), `gitpin:app@${SHA}:`);
});

const lines = fc.oneof(
  fc.constant({ line: null, lineEnd: null }),
  fc
    .tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 0, max: 500 }))
    .map(([line, more]) => ({ line, lineEnd: line + more })),
);
const repository = fc.constantFrom("app", "a.b-c_d", "..", "0123456", "gitpin", "-x");

test("what is printed parses to what was printed, for every path", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom("", ...NASTY_PATHS), anyPath),
      lines,
      repository,
      (sourcePath, at, name) => {
        fc.pre(sourcePath !== "" || at.line === null);
        const printed: CitedPlace = { repository: name, sourcePath, sha: SHA, ...at };
        assert.deepEqual(parseCitation(printCite(printed)), { form: "cite", ...printed });
        assert.deepEqual(parseCitation(printHandle(printed)), { form: "handle", ...printed });
        // One line, nothing that shows otherwise than it is.
        assert.doesNotMatch(
          printCite(printed) + printHandle(printed),
          /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u,
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test("unencoded input of the older kind is read where it can mean one thing only", () => {
  const read = (text: string) => {
    const { sourcePath, line, lineEnd } = parseCitation(text);
    return [sourcePath, line, lineEnd];
  };
  assert.deepEqual(read(`app/My Notes.md:3 @ ${SHA}`), ["My Notes.md", 3, 3]);
  assert.deepEqual(read(`app/@types/node/index.d.ts:3-5 @ ${SHA}`), ["@types/node/index.d.ts", 3, 5]);
  assert.deepEqual(read(`app/a @ b.md @ ${SHA}`), ["a @ b.md", null, null]);
  assert.deepEqual(read(`app/C:x.md @ ${SHA}`), ["C:x.md", null, null]);
  assert.deepEqual(read(`app/C:x.md:9 @ ${SHA}`), ["C:x.md", 9, 9]);
  assert.deepEqual(read(`app/100%.md @ ${SHA}`), ["100%.md", null, null]);
  assert.deepEqual(read(`gitpin:app@${SHA}:My Notes.md:3`), ["My Notes.md", 3, 3]);
  assert.deepEqual(read(`  app/a%2fb%3a.md @ ${SHA}\n`), ["a/b:.md", null, null]);
});

test("abbreviations and capitals of the commit id are let through", () => {
  assert.equal(parseCitation("app/a @ 0123ABC").sha, "0123abc");
  assert.equal(parseCitation("gitpin:app@0123ABC:a").sha, "0123abc");
});

test("what cannot be read is refused, with what is wrong and the right form", () => {
  const refusals: [string, RegExp][] = [
    ["", /it is empty/],
    ["README.md", /does not end in ` @ `/],
    ["app/README.md:3", /does not end in ` @ `/],
    ["app/README.md @ (no commit)", /names no commit/],
    ["app/README.md @ 012345", /does not end in ` @ `/],
    [`app/README.md@${SHA}`, /does not end in ` @ `/],
    [`README.md @ ${SHA}`, /does not start with a registry name and a slash/],
    [`https://x/a/b @ ${SHA}`, /does not start with a registry name/],
    [`gitpin:app:README.md`, /form of a handle/],
    [`app/a:0 @ ${SHA}`, /counted from 1/],
    [`app/a:5-3 @ ${SHA}`, /last line comes before/],
    [`app/a:999999999 @ ${SHA}`, /beyond 100000000/],
    [`app/a.ts:12:5 @ ${SHA}`, /a line and a column/],
    [`app/a b%20c @ ${SHA}`, /in part only/],
    [`app/100%-a%20b @ ${SHA}`, /in part only/],
    [`app/caf%E9.md @ ${SHA}`, /not UTF-8/],
    [`app/a%00b @ ${SHA}`, /NUL/],
    [`app/../x @ ${SHA}`, /`\.\.` segment/],
    [`app/a%2F..%2Fx @ ${SHA}`, /`\.\.` segment/],
    [`app//x @ ${SHA}`, /starts with a slash/],
    [`gitpin:app@${SHA}::3`, /a line but no path/],
  ];
  for (const [text, what] of refusals) {
    assert.throws(
      () => parseCitation(text),
      (error) =>
        error instanceof GitpinError &&
        error.code === "invalid_citation" &&
        error.data.field === undefined &&
        what.test(error.message) &&
        error.nextStep.includes("repo/path:line @ fullSha"),
      JSON.stringify(text),
    );
    assert.throws(
      () => parseCitation(text, "cite"),
      (error) => error instanceof GitpinError && error.data.field === "cite",
      JSON.stringify(text),
    );
  }
});
