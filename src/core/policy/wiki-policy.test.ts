import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exposesDocument, NO_WIKI, readWikiPolicy, type WikiPolicy } from "./wiki-policy.ts";

const wiki = (...texts: string[]): WikiPolicy =>
  readWikiPolicy(
    texts.map((text, index) => ({
      path: index === 0 ? ".gitpin/wiki.yaml" : "docs/wiki.yaml",
      bytes: new TextEncoder().encode(text),
    })),
  );
const denies = (policy: WikiPolicy, path: string) => {
  assert.ok(policy.kind === "rules", JSON.stringify(policy));
  return policy.rules.some((rules) => rules.denied(path) !== -1);
};
const reason = (policy: WikiPolicy) => (policy.kind === "invalid" ? policy.reason : null);

const FULL = `
version: 2
title: Handbook
collections:
  - id: agents
    include: [README.md, "docs/**/*.md"]
  - id: changes
    include: CHANGELOG.md
expose:
  - AGENTS.md
exclude: ["docs/drafts/"]
safety:
  deny:
    - docs/internal/**
    - "**/*secret*"
`;

test("collections and expose show, exclude hides, safety.deny forbids", () => {
  const policy = wiki(FULL);
  for (const path of ["README.md", "docs/a/b.md", "CHANGELOG.md", "agents.md"]) {
    assert.equal(exposesDocument(path, policy), true, path);
  }
  for (const path of ["other.md", "docs/drafts/a.md", "src/README.md"]) {
    assert.equal(exposesDocument(path, policy), false, path);
  }
  assert.equal(denies(policy, "docs/internal/x.md"), true);
  assert.equal(denies(policy, "src/top-SECRET.ts"), true);
  assert.equal(denies(policy, "src/main.ts"), false);
});

test("without lists of what to show, everything but the excluded is shown", () => {
  assert.equal(exposesDocument("a.md", NO_WIKI), true);
  assert.equal(exposesDocument("a.md", wiki("")), true);
  assert.equal(exposesDocument("a.md", wiki("# nothing yet\n")), true);
  assert.equal(exposesDocument("a.md", wiki("exclude: a.md")), false);
  assert.equal(exposesDocument("b.md", wiki("exclude: a.md")), true);
});

test("a list that is there and empty shows nothing", () => {
  for (const text of ["collections: []", "collections:", "expose: []", "expose:", "collections: [{id: x}]"]) {
    assert.equal(exposesDocument("a.md", wiki(text)), false, text);
  }
});

test("a collection's own exclude is honoured", () => {
  const policy = wiki("collections: [{include: 'docs/**', exclude: docs/old/}]");
  assert.equal(exposesDocument("docs/a.md", policy), true);
  assert.equal(exposesDocument("docs/old/a.md", policy), false);
});

test("where two files exist, both apply", () => {
  const policy = wiki(
    "expose: ['a/**', 'b/**']\nsafety: {deny: x}",
    "expose: ['b/**', 'c/**']\nsafety: {deny: y}",
  );
  assert.deepEqual(
    ["a/1.md", "b/1.md", "c/1.md"].map((path) => exposesDocument(path, policy)),
    [false, true, false],
  );
  assert.deepEqual(
    ["x", "y", "z"].map((path) => denies(policy, path)),
    [true, true, false],
  );
});

test("a file that cannot be read in full is invalid, and its reason quotes nothing of it", () => {
  const cases: [text: string, why: RegExp][] = [
    ["collections: [leaked", /^its YAML has a fault \(\w+\) in line 1$/],
    ["a: 1\n\tleaked: 2", /^its YAML has a fault \(\w+\) in line 2$/],
    ["exclude: a\nexclude: leaked", /DUPLICATE_KEY/],
    ["--- a\n--- leaked", /MULTIPLE_DOCS/],
    ["exclude: !leaked x", /TAG_RESOLVE_FAILED/],
    ["leaked", /^it is not a mapping$/],
    ["- leaked", /^it is not a mapping$/],
    ["exclude: 12", /`exclude`/],
    ["exclude: [leaked, 12]", /`exclude/],
    ["exclude: ['']", /`exclude/],
    ["safety: leaked", /`safety`/],
    ["safety: {deyn: leaked}", /key other than `deny`/],
    ["safety: {deny: {leaked: 1}}", /`safety.deny`/],
    ["collections: {leaked: 1}", /`collections`/],
    ["collections: [{include: [1]}]", /`collections\[0\]/],
    ["safety: {deny: ['leaked[']}", /one of its globs is not a glob that can be read/],
    [`exclude: [${"x,".repeat(200)}x]`, /`exclude`/],
    [`exclude: [${"x,".repeat(150)}]\nexpose: [${"x,".repeat(150)}]`, /more than 200 globs/],
    [
      "exclude: '*a*b*c*d*e*f*g*h*i*j*k*l*m*n*o*p*q*r*s*t*u'",
      /one of its globs is made of more than 20 wildcards/,
    ],
    [`# ${"leaked".repeat(50_000)}`, /longer than 262144 bytes/],
    ["[".repeat(100_000), /YAML/],
    [bomb(), /YAML/],
  ];
  for (const [text, why] of cases) {
    const policy = wiki(text);
    assert.match(reason(policy) ?? "it was read", why, text.slice(0, 60));
    assert.doesNotMatch(reason(policy) ?? "", /leaked/);
    assert.equal(exposesDocument("a.md", policy), false);
  }
});

test("bytes that are not UTF-8, and a thing that is not a file, are invalid too", () => {
  const read = (bytes: Uint8Array | null) => readWikiPolicy([{ path: "docs/wiki.yaml", bytes }]);
  assert.deepEqual(read(Uint8Array.of(0x61, 0x3a, 0xff)), {
    kind: "invalid",
    path: "docs/wiki.yaml",
    reason: "it is not YAML in UTF-8 within the bounds of nesting and aliases",
  });
  assert.equal(reason(read(null)), "it is not a file");
  assert.equal(
    reason(
      readWikiPolicy([
        { path: "a", bytes: new Uint8Array() },
        { path: "b", bytes: null },
      ]),
    ),
    "it is not a file",
  );
});

test("never throws, whatever the file", () => {
  const yaml = fc.string({
    unit: fc.constantFrom(..."abc:-[]{}&*!|>'\"#%@`, \n\t?", "deny", "safety", "exclude"),
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.oneof(yaml, fc.string()), (text) => {
      exposesDocument("a.md", wiki(text));
    }),
    { numRuns: 1000 },
  );
});

/** Nine levels of nine aliases: a few hundred bytes that stand for nine to the ninth values. */
function bomb(): string {
  let text = "a0: &a0 [x]\n";
  for (let level = 1; level <= 9; level++) {
    text += `a${level}: &a${level} [${Array(9)
      .fill(`*a${level - 1}`)
      .join(", ")}]\n`;
  }
  return text;
}
