import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CitedPlace, printCite, printHandle } from "../citation/cite.ts";
import { pathFault } from "../git/path.ts";
import { findCitations } from "./find-citations.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const withSha = (text: string) => text.replaceAll("SHA", SHA);
/** Each finding as `line:column text`, malformed ones with a `!` and their reason. */
const found = (notes: string) =>
  findCitations(withSha(notes)).map((finding) => {
    const text = finding.text.replaceAll(SHA, "SHA");
    const at = `${finding.line}:${finding.column}`;
    return finding.kind === "citation" ? `${at} ${text}` : `! ${at} ${text} -- ${finding.reason}`;
  });

test("both forms, in every place that notes have for them", () => {
  const notes: [string, string[]][] = [
    ["repo/docs/a.md:3 @ SHA", ["1:1 repo/docs/a.md:3 @ SHA"]],
    ["See repo/a.md:3-5 @ SHA.", ["1:5 repo/a.md:3-5 @ SHA"]],
    ["(repo/a.md @ SHA), then", ["1:2 repo/a.md @ SHA"]],
    ["`repo/a.md:3 @ SHA`; and", ["1:2 repo/a.md:3 @ SHA"]],
    ["[repo/a.md:3 @ SHA]: x", ["1:2 repo/a.md:3 @ SHA"]],
    ['"repo/a.md:3 @ SHA"', ["1:2 repo/a.md:3 @ SHA"]],
    ["- repo/a.md:3 @ SHA\n1. repo/b.md @ SHA", ["1:3 repo/a.md:3 @ SHA", "2:4 repo/b.md @ SHA"]],
    ["**repo/a.md:3 @ SHA**", ["1:3 repo/a.md:3 @ SHA"]],
    ["_repo/a.md:3 @ SHA_", ["1:2 repo/a.md:3 @ SHA"]],
    ["<repo/a.md:3 @ SHA>", ["1:2 repo/a.md:3 @ SHA"]],
    ["[x](<repo/a.md:3 @ SHA>)", ["1:6 repo/a.md:3 @ SHA"]],
    ["|repo/a.md:3 @ SHA|repo/b.md @ SHA|", ["1:2 repo/a.md:3 @ SHA", "1:57 repo/b.md @ SHA"]],
    ["repo/a.md:1 @ SHA,repo/b.md:2 @ SHA", ["1:1 repo/a.md:1 @ SHA", "1:56 repo/b.md:2 @ SHA"]],
    ["<!--repo/a.md:3 @ SHA-->", ["1:5 repo/a.md:3 @ SHA"]],
    ["and/or(repo/a.md:1 @ SHA)", ["1:8 repo/a.md:1 @ SHA"]],
    ["repo/app/(g)/[id]/p.tsx:3 @ SHA", ["1:1 repo/app/(g)/[id]/p.tsx:3 @ SHA"]],
    ["见repo/a.md:3 @ SHA。", ["1:2 repo/a.md:3 @ SHA"]],
    ["gitpin:repo@SHA:a.md:3", ["1:1 gitpin:repo@SHA:a.md:3"]],
    ["See gitpin:repo@SHA:docs/a.md.", ["1:5 gitpin:repo@SHA:docs/a.md"]],
    ["(gitpin:repo@SHA:a.md:3-5).", ["1:2 gitpin:repo@SHA:a.md:3-5"]],
    ["(see gitpin:repo@SHA:a(1).md)", ["1:6 gitpin:repo@SHA:a(1).md"]],
    ["[gitpin:repo@SHA:a.md](https://host:80/x)", ["1:2 gitpin:repo@SHA:a.md"]],
    ["[see gitpin:repo@SHA:a.md](https://host:80/x)", ["1:6 gitpin:repo@SHA:a.md"]],
    ['[x](gitpin:repo@SHA:a.md "A title")', ["1:5 gitpin:repo@SHA:a.md"]],
    ["<gitpin:repo@SHA:a.md>", ["1:2 gitpin:repo@SHA:a.md"]],
    ['<a href="gitpin:repo@SHA:a.md">x</a>', ["1:10 gitpin:repo@SHA:a.md"]],
    ['{"a":"gitpin:repo@SHA:a.md","b":"c:3"}', ["1:7 gitpin:repo@SHA:a.md"]],
    ["'gitpin:repo@SHA:a.md', x", ["1:2 gitpin:repo@SHA:a.md"]],
    ["“gitpin:repo@SHA:a.md”", ["1:2 gitpin:repo@SHA:a.md"]],
    ["**gitpin:repo@SHA:a.md**", ["1:3 gitpin:repo@SHA:a.md"]],
    ["_gitpin:repo@SHA:a.md_", ["1:2 gitpin:repo@SHA:a.md"]],
    ["gitpin:repo@SHA:src/__tests__ too", ["1:1 gitpin:repo@SHA:src/__tests__"]],
    ["x|gitpin:repo@SHA:a.md|y", ["1:3 gitpin:repo@SHA:a.md"]],
    ["x|gitpin:repo@SHA:a.md:3|y", ["1:3 gitpin:repo@SHA:a.md:3"]],
    ["<!-- gitpin:repo@SHA:a.md-->", ["1:6 gitpin:repo@SHA:a.md"]],
    ["<!-- gitpin:repo@SHA:a.md:3-->", ["1:6 gitpin:repo@SHA:a.md:3"]],
    ["gitpin:repo@SHA:a.md;gitpin:repo@SHA:b.md!", ["1:1 gitpin:repo@SHA:a.md", "1:59 gitpin:repo@SHA:b.md"]],
    ["gitpin:repo@SHA:a.ts:3: it says", ["1:1 gitpin:repo@SHA:a.ts:3"]],
    ["gitpin:repo@SHA:a.ts: it says", ["1:1 gitpin:repo@SHA:a.ts"]],
    ["`gitpin verify --handle gitpin:repo@SHA:a.md:3`", ["1:25 gitpin:repo@SHA:a.md:3"]],
    ["```\ngitpin:repo@SHA:a.md\n```", ["2:1 gitpin:repo@SHA:a.md"]],
    ["见gitpin:repo@SHA:a.md。", ["1:2 gitpin:repo@SHA:a.md"]],
    ["https://host/h/gitpin:repo@SHA:a.md:3", ["1:16 gitpin:repo@SHA:a.md:3"]],
    [
      "a\r\nrepo/a.md:3 @ SHA\r\ngitpin:repo@SHA:a.md\r\n",
      ["2:1 repo/a.md:3 @ SHA", "3:1 gitpin:repo@SHA:a.md"],
    ],
    ["😀 repo/a.md:3 @ SHA", ["1:4 repo/a.md:3 @ SHA"]],
  ];
  for (const [text, expected] of notes) assert.deepEqual(found(text), expected, text);
});

test("a cite that a line break splits is whole, also in a quoted block", () => {
  for (const notes of [
    "> repo/a.md:3 @\n> SHA",
    "repo/a.md:3\n@ SHA",
    "repo/a.md:3 @\r\nSHA",
    "repo/a.md:3  @\tSHA",
  ]) {
    const [finding, ...more] = findCitations(withSha(notes));
    assert.deepEqual(more, []);
    assert.deepEqual(finding?.kind === "citation" && finding.citation, {
      form: "cite",
      repository: "repo",
      sourcePath: "a.md",
      sha: SHA,
      line: 3,
      lineEnd: 3,
    });
  }
});

test("older, unencoded paths where only one reading is possible", () => {
  const path = (notes: string) =>
    findCitations(withSha(notes)).map((one) =>
      one.kind === "citation" ? one.citation.sourcePath : one.reason,
    );
  assert.deepEqual(path("`repo/my file.md:3 @ SHA`"), ["my file.md"]);
  assert.deepEqual(path('"repo/my file.md:3 @ SHA"'), ["my file.md"]);
  assert.deepEqual(path("`gitpin:repo@SHA:my file.md:3`"), ["my file.md"]);
  assert.deepEqual(path("repo/@scope/a.md:3 @ SHA"), ["@scope/a.md"]);
  assert.deepEqual(path("`` repo/a`b.md:3 @ SHA ``"), ["a`b.md"]);
  assert.deepEqual(path("`repo/my docs/file.md:3 @ SHA`"), [
    "white space stands before its path, which could be part of it",
  ]);
  assert.deepEqual(path("`gitpin:repo@SHA:a.md is`"), [
    "white space follows its path, which could be part of it",
  ]);
});

test("what tries to be a citation and is none is reported", () => {
  const short = SHA.slice(0, 39);
  const notes: [string, string][] = [
    [
      "repo/a.md:3 @ 0123abc",
      "repo/a.md:3 @ 0123abc -- its commit id has 7 digits, and a citation takes all 40",
    ],
    [
      `repo/a.md @ ${short}`,
      `repo/a.md @ ${short} -- its commit id has 39 digits, and a citation takes all 40`,
    ],
    ["repo/a.md @ SHA0", "repo/a.md @ SHA0 -- its commit id has 41 digits, and a commit id has 40"],
    [`repo/a.md @ ${short}g`, `repo/a.md @ ${short}g -- what stands for its commit id is not 40 hex digits`],
    ["repo/a.md:3 @ HEAD", "repo/a.md:3 @ HEAD -- what stands for its commit id is not 40 hex digits"],
    ["repo/docs/a.md @ main", "repo/docs/a.md @ main -- what stands for its commit id is not 40 hex digits"],
    ["repo/a.md:3 @", "repo/a.md:3 @ -- it names no commit id"],
    ["main @ SHA", "main @ SHA -- no `repo/path` stands before its `@`"],
    ["repo/ @ SHA", "repo/ @ SHA -- no `repo/path` stands before its `@`"],
    ["a.md:3 @ SHA", "a.md:3 @ SHA -- no `repo/path` stands before its `@`"],
    ["repo/a.md:3@SHA", "repo/a.md:3@SHA -- one space is due on each side of its `@`"],
    ["repo/a.md @SHA", "repo/a.md @SHA -- one space is due on each side of its `@`"],
    ["repo/a.md@ SHA", "repo/a.md@ SHA -- one space is due on each side of its `@`"],
    ["[x](repo/a.md:3%20@%20SHA)", "repo/a.md:3%20@%20SHA -- one space is due on each side of its `@`"],
    ["`repo/a.md:3` @ `SHA`", "repo/a.md:3` @ `SHA -- marks such as backquotes stand inside it"],
    [
      "https://host/o/a.md:3 @ SHA",
      "https://host/o/a.md:3 @ SHA -- a URL or an absolute path stands where a registry name is due",
    ],
    [
      "/repo/a.md:3 @ SHA",
      "repo/a.md:3 @ SHA -- a URL or an absolute path stands where a registry name is due",
    ],
    [
      "repo/a.md @ SHA:3",
      "repo/a.md @ SHA -- its line numbers stand after the commit id, and belong before the `@`",
    ],
    ["gitpin:repo/a.md:3 @ SHA", "repo/a.md:3 @ SHA -- the two forms of a citation are mixed in it"],
    [
      "repo/a.md:3–5 @ SHA",
      "repo/a.md:3–5 @ SHA -- a dash stands between its line numbers, where a hyphen is due",
    ],
    [
      "repo/a.md:5-3 @ SHA",
      "repo/a.md:5-3 @ SHA -- This is not a citation that can be read: its last line comes before its first.",
    ],
    [
      "repo/a/../b.md:3 @ SHA",
      "repo/a/../b.md:3 @ SHA -- This is not a citation that can be read: its path is not one inside a git tree: it holds a `..` segment.",
    ],
    [
      "gitpin:repo@0123abc:a.md:3",
      "gitpin:repo@0123abc:a.md:3 -- its commit id has 7 digits, and a citation takes all 40",
    ],
    ["gitpin:repo@main:a.md", "gitpin:repo@main:a.md -- what stands for its commit id is not 40 hex digits"],
    ["gitpin:repo@:a.md", "gitpin:repo@:a.md -- it names no commit id"],
    ["gitpin:repo@SHA", "gitpin:repo@SHA -- no `:` and path follow its commit id"],
    ["gitpin:repo@SHA/a.md", "gitpin:repo@SHA/a.md -- no `:` and path follow its commit id"],
    ["gitpin:repo@SHA: a.md", "gitpin:repo@SHA: -- it names no path"],
    ["gitpin: repo@SHA:a.md", "gitpin: repo@SHA:a.md -- white space stands inside it"],
    ["gitpin:repo @ SHA:a.md", "gitpin:repo @ SHA:a.md -- white space stands inside it"],
    ["gitpin:@SHA:a.md", "gitpin:@SHA:a.md -- it names no repository"],
    ["GitPin:repo@SHA:a.md", "GitPin:repo@SHA:a.md -- its prefix is not lower case"],
    ["gitpin:repo:a.md:3", "gitpin:repo:a.md:3 -- no `@` and commit id follow its repository"],
    ["repo@SHA:a.md:3", "repo@SHA:a.md:3 -- its prefix `gitpin:` is missing"],
    ["mygitpin:repo@SHA:a.md", "repo@SHA:a.md -- its prefix `gitpin:` is missing"],
    [
      "gitpin:repo@SHA:a.md:3–5",
      "gitpin:repo@SHA:a.md:3–5 -- a dash stands between its line numbers, where a hyphen is due",
    ],
    [
      "gitpin:repo@SHA:a.ts:3:15",
      "gitpin:repo@SHA:a.ts:3:15 -- This is not a citation that can be read: it ends in two numbers, which could be a line and a column or part of the path.",
    ],
  ];
  for (const [text, expected] of notes) {
    assert.deepEqual(
      found(text).map((line) => line.replace(/^(! )?\d+:\d+ /, "$1")),
      [`! ${expected}`],
      text,
    );
  }
});

test("what only looks a little like a citation is left alone", () => {
  for (const notes of [
    "uses: actions/checkout@SHA # v5",
    "image: host/app@sha256:SHA",
    "git show SHA:docs/a.md",
    "repo@SHA",
    "write to a@b.example or @someone, and/or @ noon",
    "listens on 127.0.0.1:8080 @ home",
    "gitpin://catalog and gitpin:latest and gitpin: a tool",
    "`gitpin:repo@fullSha:path:line` and `repo/path:line @ fullSha`",
    "gitpin:<repo>@<sha>:<path> or gitpin:repo@$SHA_:path or repo/path:3 @ <sha> or repo/a.md:3 @ ...",
    "at main @ 0123abc",
    "docs/a.md at SHA",
    "http://localhost:3000/a:3 @ home",
  ]) {
    assert.deepEqual(found(notes), [], notes);
  }
});

const repository = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9.-]{0,8}$/);
const sha = fc.stringMatching(/^[0-9a-f]{40}$/);
const lines = fc.oneof(
  fc.constant({ line: null, lineEnd: null }),
  fc
    .tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(50))
    .map(([line, more]) => ({ line, lineEnd: line + more })),
);
const placeWith = (path: fc.Arbitrary<string>): fc.Arbitrary<CitedPlace> =>
  fc
    .tuple(repository, path, sha, lines)
    .map(([name, sourcePath, commit, range]) => ({ repository: name, sourcePath, sha: commit, ...range }));
const print = (place: CitedPlace, form: "cite" | "handle") =>
  form === "cite" ? printCite(place) : printHandle(place);
const form = fc.constantFrom("cite" as const, "handle" as const);

/** Prose and things that resemble citations, none of which is one. */
const prose = fc.constantFrom(
  "as the table shows",
  "and/or",
  "a@b.example",
  "@someone",
  "src/main.ts",
  "see (docs/a.md)",
  "`git show`",
  "owner/name@0123456789abcdef0123456789abcdef01234567",
  "it's",
  "12:30",
  "https://host/x:3",
  "- item",
  "> quote",
  "| cell |",
  "**bold**",
  "naïve 日本 😀",
  "",
  "a `b c` d",
  '"quoted"',
  "gitpin",
  "1.",
  "gitpin://catalog",
  "[x](y)",
);
/** What may stand around a citation in prose. A cite needs white space or an opening mark before it. */
const setting = fc.constantFrom(
  ["", ""],
  ["(", ")"],
  ["[", "]"],
  ["`", "`"],
  ['"', '"'],
  ["'", "'"],
  ["**", "**"],
  ["<", ">"],
  ["| ", " |"],
  ["|", "|"],
  ["", "."],
  ["", ","],
  ["", ";"],
  ["(see ", ")."],
  ["[", "](https://host/x)"],
  ["<!-- ", " -->"],
  ["\n- ", "\n"],
  ["\r\n", "\r\n"],
  ["“", "”"],
  ["\n```\n", "\n```\n"],
  ["\n> ", "\n"],
  ["", "!"],
  ["_", "_"],
);
/** Paths as they mostly are: they end in a letter or digit, and what marks mean in prose is not in them. */
const plainPath = fc
  .array(fc.stringMatching(/^[A-Za-z0-9_.+~ %:@#&=日é-]{0,6}[A-Za-z0-9é日]$/), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("/"))
  .filter((path) => pathFault(path) === null);

test("generated prose: every citation is found where it stands, and none is invented", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(prose, setting, placeWith(plainPath), form), { maxLength: 8 }),
      prose,
      (parts, last) => {
        let notes = "";
        const expected: { start: number; text: string; place: CitedPlace }[] = [];
        for (const [before, [open = "", close = ""], place, as] of parts) {
          const text = print(place, as);
          notes += `${before} ${open}`;
          expected.push({ start: notes.length, text, place: { ...place } });
          notes += `${text}${close} `;
        }
        notes += last;
        const findings = findCitations(notes).map((one) => {
          if (one.kind === "malformed") return { start: one.start, text: one.text, place: one.reason };
          const { form: _form, ...place } = one.citation;
          return { start: one.start, text: one.text, place };
        });
        assert.deepEqual(findings, expected);
      },
    ),
    { numRuns: 500 },
  );
});

const anyPath = fc
  .array(fc.string({ unit: "binary", minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join("/"))
  .filter((path) => path !== "" && pathFault(path) === null);
const marksPath = fc
  .stringMatching(/^[`"'|<>()[\]{}.,;:*_~!@# a/-]{1,12}$/)
  .filter((path) => pathFault(path) === null);

test("any legal path is found in a code span with enough backquotes", () => {
  fc.assert(
    fc.property(placeWith(fc.oneof(anyPath, marksPath)), form, (place, as) => {
      const text = print(place, as);
      const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
      const quotes = "`".repeat(longest + 1);
      const padding = text.includes("`") ? " " : "";
      const findings = findCitations(`x ${quotes}${padding}${text}${padding}${quotes} y`);
      assert.deepEqual(
        findings.map((one) => (one.kind === "citation" ? [one.text, one.citation] : [one.text, one.reason])),
        [[text, { form: as, ...place }]],
      );
    }),
    { numRuns: 1000 },
  );
});

test("whatever the text: findings are in order, apart, and stand where they say", () => {
  const piece = fc.constantFrom(
    "gitpin:",
    "GITPIN:",
    "repo",
    "/",
    "@",
    " @ ",
    " ",
    "\n",
    "\r\n",
    ":",
    "3",
    "-",
    "`",
    "``",
    '"',
    "(",
    ")",
    "|",
    "[",
    "]",
    "<",
    ">",
    SHA,
    "0123abc",
    "a.md",
    "%20",
    "_",
    "*",
    "{",
    "}",
    "fullSha",
    "😀",
    "–",
    "://",
    "main",
    "'",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const notes = pieces.join("");
      let end = 0;
      for (const finding of findCitations(notes)) {
        assert.ok(finding.start >= end && finding.end > finding.start);
        end = finding.end;
        assert.equal(finding.text, notes.slice(finding.start, finding.end));
        const before = notes.slice(0, finding.start).split("\n");
        assert.deepEqual([finding.line, finding.column], [before.length, (before.at(-1) ?? "").length + 1]);
        if (finding.kind === "citation") assert.match(finding.citation.sha, /^[0-9a-f]{40}$/);
      }
    }),
    { numRuns: 3000 },
  );
});

// Time that grows with the square of a megabyte would run for hours; the bound is no measurement.
test("a megabyte of anything is read in one pass", { timeout: 300_000 }, () => {
  const units = [
    "@",
    "@ ",
    "\n@",
    "gitpin:",
    "gitpin:a@",
    `gitpin:a@${SHA}:x`,
    `gitpin:a@${SHA}:(`,
    `a/b:1@${SHA}`,
    `a/b @ ${SHA} `,
    "a/b @ c ",
    "` @ ",
    "``a`",
    "a/",
    "(a/b:1 @ ",
    ":1",
    "> @\n",
    "\t\u00a0",
    SHA,
    "%20@%20",
    "gitpin:a/b:1",
  ];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    for (const finding of findCitations(`\`(a/b ${text} @ ${SHA}`)) assert.notEqual(finding.text, "", unit);
    for (const finding of findCitations(`gitpin:a@${SHA}:${text}\``)) assert.notEqual(finding.text, "", unit);
  }
});
