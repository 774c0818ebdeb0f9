import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GitpinError } from "../../errors.ts";
import { findCitations } from "./find-citations.ts";
import { rewriteCitations } from "./rewrite.ts";

const OLD = "0123456789abcdef0123456789abcdef01234567";
const NEW = "89abcdef0123456789abcdef0123456789abcdef";

test("replaced citations are new, every other character is as it was", () => {
  const notes = `\ufeffA repo/a.md:3 @ ${OLD}.\r\n\r\n| gitpin:repo@${OLD}:b.md |\t \n😀 repo/c.md @ ${OLD}`;
  const [first, second] = findCitations(notes);
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(
    rewriteCitations(notes, [
      { found: second, by: `gitpin:repo@${NEW}:b.md` },
      { found: first, by: `repo/a.md:14 @ ${NEW}` },
    ]),
    `\ufeffA repo/a.md:14 @ ${NEW}.\r\n\r\n| gitpin:repo@${NEW}:b.md |\t \n😀 repo/c.md @ ${OLD}`,
  );
});

test("a replacement by itself changes nothing, whatever the text", () => {
  const piece = fc.constantFrom(
    "x",
    " ",
    "\r\n",
    `repo/a.md:3 @ ${OLD}`,
    `gitpin:repo@${OLD}:a.md`,
    "(",
    "😀",
    "`",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const notes = pieces.join("");
      const same = findCitations(notes).map((found) => ({ found, by: found.text }));
      assert.equal(rewriteCitations(notes, same), notes);
    }),
  );
});

test("a replacement that does not fit the notes is refused", () => {
  const refused = (replacements: Parameters<typeof rewriteCitations>[1]) =>
    assert.throws(
      () => rewriteCitations("abcdef", replacements),
      (error) => error instanceof GitpinError && error.code === "invalid_argument",
    );
  refused([{ found: { start: 0, end: 2, text: "xx" }, by: "y" }]);
  refused([{ found: { start: 0, end: 0, text: "" }, by: "y" }]);
  refused([
    { found: { start: 0, end: 2, text: "ab" }, by: "y" },
    { found: { start: 1, end: 3, text: "bc" }, by: "y" },
  ]);
  refused([{ found: { start: 4, end: 9, text: "efghi" }, by: "y" }]);
});
