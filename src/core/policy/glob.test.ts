import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import picomatch from "picomatch";
import { compileGlobs, GlobError } from "./glob.ts";

const matches = (pattern: string, path: string) => compileGlobs([pattern])(path) === 0;

test("globs match the whole path, in any case, dot files and line feeds included", () => {
  const table: [pattern: string, matching: string[], others: string[]][] = [
    ["README.md", ["README.md", "readme.MD"], ["docs/README.md", "README.md.bak", "README_md"]],
    ["*.md", ["a.md", ".md", "\n.md", "日本.md"], ["a/b.md", ""]],
    ["**/*.md", ["a.md", "a/b/c.md", ".x/.md", "a\nb/c\nd.md"], ["a.mdx"]],
    ["docs/**", ["docs", "docs/a", "docs/a/b\nc", "DOCS/A"], ["docsx", "x/docs/a"]],
    ["docs/", ["docs", "docs/a", "docs/a/b"], ["docsx"]],
    ["/docs/", ["docs/a"], ["x/docs/a"]],
    ["docs/*", ["docs/a", "docs/.a"], ["docs", "docs/a/b"]],
    ["**", ["", "a", "a/b", ".a"], []],
    ["*", ["a", ".a"], ["", "a/b"]],
    ["*.*", ["a.", "a.b", ".b", "a.."], ["a", "a/.b"]],
    ["**/*.*", ["a.", "x/a.", "x/a.b"], ["a", "x/a"]],
    ["a?c", ["abc", "a\u{1F600}c", "a\nc"], ["ac", "a/c", "abbc"]],
    ["[a-c]x", ["ax", "CX"], ["dx", "/x"]],
    ["[!a-c]x", ["dx"], ["ax", "/x"]],
    ["*.{yml,yaml}", ["a.yml", "a.yaml"], ["a.yxml"]],
    ["{a,b/{c,d}}/x", ["a/x", "b/c/x", "b/d/x"], ["b/x"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]],
    ["**/secrets/**", ["secrets/a", "x/secrets/a/b", "secrets"], ["xsecrets/a"]],
    ["é*", ["écrit", "É"], ["e"]],
  ];
  for (const [pattern, matching, others] of table) {
    for (const path of matching) assert.equal(matches(pattern, path), true, JSON.stringify([pattern, path]));
    for (const path of others) assert.equal(matches(pattern, path), false, JSON.stringify([pattern, path]));
  }
});

test("a pattern cannot speak the language of regular expressions", () => {
  const table: [pattern: string, matching: string[], others: string[]][] = [
    ["app/(auth)/**", ["app/(auth)/page.tsx"], ["app/auth/page.tsx"]],
    ["(a|b)", ["(a|b)"], ["a", "b"]],
    ["a+", ["a+"], ["aa"]],
    ["a.c", ["a.c"], ["abc"]],
    ["^a$", ["^a$"], ["a"]],
    ["\\!a", ["!a"], ["b"]],
    ["@(a)", ["@(a)"], ["a"]],
    ["(?=x)", ["(?=x)"], ["", "x"]],
    ["\\d\\w", ["dw"], ["1a"]],
    ["[\\d]", ["d"], ["1"]],
    ["\\*", ["*"], ["a"]],
    ['"a"', ['"a"'], ["a"]],
    ["a\\b", ["ab"], ["a"]],
    ["#x", ["#x"], [""]],
    ["a b", ["a b"], ["ab"]],
    ["a\nb", ["a\nb"], ["a b"]],
  ];
  for (const [pattern, matching, others] of table) {
    for (const path of matching) assert.equal(matches(pattern, path), true, JSON.stringify([pattern, path]));
    for (const path of others) assert.equal(matches(pattern, path), false, JSON.stringify([pattern, path]));
  }
});

test("what would quietly never match is refused, with its place and without its text", () => {
  for (const pattern of [
    "",
    "/",
    "a[",
    "a]",
    "a{b",
    "a{1..9}",
    "a\\",
    "x".repeat(501),
    "*a".repeat(21),
    "!a",
    "./a",
    "\ud800",
  ]) {
    assert.throws(
      () => compileGlobs(["ok", pattern]),
      (error) =>
        error instanceof GlobError &&
        error.index === 1 &&
        (pattern === "" || !error.message.includes(pattern)),
      JSON.stringify(pattern),
    );
  }
});

test("the first pattern that matches is named", () => {
  const set = compileGlobs(["b", "*.ts", "**/a.ts"]);
  assert.deepEqual([set("a.ts"), set("b"), set("x/a.ts"), set("c")], [1, 0, 2, -1]);
  assert.equal(compileGlobs([])("a"), -1);
});

test("agrees with picomatch wherever picomatch is sound", () => {
  const token = fc.constantFrom(
    "*",
    "**",
    "?",
    "a",
    "B",
    ".",
    "/",
    "{a,b}",
    "[ab]",
    "[!a]",
    "-",
    "**/",
    "/**",
  );
  const pattern = fc.array(token, { minLength: 1, maxLength: 6 }).map((tokens) => tokens.join(""));
  const segment = fc.string({ unit: fc.constantFrom("a", "b", ".", "-", "\n"), minLength: 1, maxLength: 3 });
  const path = fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .filter((segments) => !segments.some((name) => name === "." || name === ".."))
    .map((segments) => segments.join("/"));
  fc.assert(
    fc.property(pattern, fc.array(path, { minLength: 1, maxLength: 8 }), (glob, paths) => {
      // A leading or final slash means more here; see above.
      fc.pre(!glob.startsWith("/") && !glob.endsWith("/") && !glob.startsWith("./"));
      const oracle = picomatch.makeRe(glob, {
        dot: true,
        flags: "is",
        posix: true,
        nonegate: true,
        noextglob: true,
        // Its shortcut for `*.*` wants a character behind the dot; its own reading of `**.*` does not.
        fastpaths: false,
      });
      const set = compileGlobs([glob]);
      for (const one of paths) assert.equal(set(one) === 0, oracle.test(one), JSON.stringify([glob, one]));
    }),
    { numRuns: 2000 },
  );
});

test("no pattern takes more than time linear in the path", () => {
  const set = compileGlobs([`${"*a".repeat(20)}b`, `${"**/".repeat(20)}x`, `${"{a,aa}".repeat(60)}c`]);
  const started = process.cpuUsage();
  assert.equal(set("a".repeat(4096)), -1);
  assert.equal(set("a/".repeat(2047)), -1);
  // A backtracking engine would need longer than anybody waits: twenty wildcards over four thousand characters.
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 5_000_000, `${user + system} microseconds`);
});
