/** Headings of Markdown, AsciiDoc and reStructuredText; what only looks like one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { headingsOf, titleOf } from "./headings.ts";

const rows = (path: string, text: string) =>
  headingsOf(path, text).map(({ level, text: said, line }) => [level, said, line]);

test("markdown: marks, underlines, closing marks", () => {
  assert.deepEqual(rows("a.md", "# One\n## Two ##\n### C# \n#\n#no\n####### seven\n   # in\n    # code\n"), [
    [1, "One", 1],
    [2, "Two", 2],
    [3, "C#", 3],
    [1, "in", 7],
  ]);
  assert.deepEqual(rows("a.MD", "Over\r\ntwo lines\r\n===\r\n\r\n- item\r\n---\r\nLast\r\n---\r\n"), [
    [1, "Over two lines", 1],
    [2, "Last", 7],
  ]);
});

test("markdown: not in code, front matter, tables, quotes, and not after a break", () => {
  const text = "---\n# a\n---\n```sh\n# b\n````\n~~~\n# c\n```\n~~~\n> q\n---\n| t |\n---\n***\n---\n# d\n";
  assert.deepEqual(rows("a.mdx", text), [[1, "d", 17]]);
  assert.deepEqual(rows("a.md", "---\n# open front matter\n"), [[1, "open front matter", 2]]);
});

test("a long line costs little", () => {
  for (const filler of [" ", "#", "-", "- ", "=", "`"]) {
    assert.ok(rows("a.md", `# ${filler.repeat(100_000)}x\n${filler.repeat(100_000)}x\n`).length <= 1);
    rows("a.rst", `${filler.repeat(100_000)}x\n${filler.repeat(100_000)}\n`);
  }
});

test("asciidoc and restructured text", () => {
  assert.deepEqual(rows("a.adoc", "= T\n\n====\n== in an example\n====\n== P\n"), [
    [1, "T", 1],
    [2, "P", 6],
  ]);
  assert.deepEqual(
    rows("a.rst", "***\nTop\n***\n\nPart\n====\n\nSub\n---\n\nNext\n====\n\ntoo short\n--\n"),
    [
      [1, "Top", 2],
      [2, "Part", 5],
      [3, "Sub", 8],
      [2, "Next", 11],
    ],
  );
  assert.deepEqual(rows("a.txt", "# plain\n"), []);
});

test("the title is the first heading of the highest level", () => {
  assert.equal(titleOf(headingsOf("a.md", "## Two\n# One\n# Other\n")), "One");
  assert.equal(titleOf([]), null);
});
