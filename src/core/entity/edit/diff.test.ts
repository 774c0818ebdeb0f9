/** Whole diffs against `git diff`'s own, but for its line of blob ids and the names it puts behind a hunk's header. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { GitRepository } from "../../../../test/repositories/git.ts";
import { fileDiff } from "./diff.ts";
import type { Draft } from "./draft.ts";

const repository = new GitRepository();
after(() => repository.remove());

/** Null: there was no such file. */
type Change = [path: string, before: string | null, now: string];

const draftOf = ([path, before, now]: Change): Draft => {
  const unit = (text: string) => ({ source: { text } }) as Draft["unit"];
  const original = before === null ? null : unit(before);
  return { path, mode: "100644", original, unit: unit(now), tracked: [], removed: [], earlierFaults: [] };
};

/** Of the two trees, so that new and unchanged files are as git sees them. */
function theirs(changes: readonly Change[]): string {
  const tree = (side: 1 | 2): string => {
    repository.git("rm", "-r", "-q", "--cached", "--ignore-unmatch", ".");
    for (const change of changes) {
      const text = change[side];
      if (text === null) continue;
      repository.write(change[0], Buffer.from(text));
      repository.git("add", "--", change[0]);
    }
    return repository.git("write-tree");
  };
  return repository
    .bytes("-c", "core.quotePath=true", "diff", "--no-color", tree(1), tree(2))
    .toString("utf8")
    .replace(/(?<=\n)index [0-9a-f]+\.\.[0-9a-f]+(?: \d{6})?\n/g, "")
    .replace(/(?<=\n@@ -\S+ \+\S+ @@) [^\n]*/g, "");
}

function same(...changes: Change[]): string {
  const ours = changes.map((change) => fileDiff(draftOf(change)).text).join("");
  assert.equal(ours, theirs(changes));
  return ours;
}

test("a count of 1 is left out of a hunk's header, as git writes it", () => {
  assert.match(same(["a.py", "x\n", "x\ny\nz\n"]), /^@@ -1 \+1,3 @@$/m);
  assert.match(same(["a.py", "x\ny\n", "x\n"]), /^@@ -1,2 \+1 @@$/m);
  assert.match(same(["a.py", "x\n", "y\n"]), /^@@ -1 \+1 @@$/m);
  assert.match(same(["a.py", null, "y\n"]), /^@@ -0,0 \+1 @@$/m);
});

test("empty files, no final line feed, CRLF, marks of a diff in the text", () => {
  same(["a.py", "", "x\n"]);
  same(["a.py", "x\n", ""]);
  same(["a.py", null, ""]);
  same(["a.py", null, "x"]);
  same(["a.py", "x", "x\n"]);
  same(["a.py", "x\n", "x"]);
  same(["a.py", "x", "y"]);
  same(["a.py", "x\ny", "x\ny\nz"]);
  same(["a.py", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"]);
  same(["a.py", "a\r\nb", "a\r\nb\r\n"]);
  same(["a.py", "a\nb\r\n", "a\r\nb\r\n"]);
  same([
    "a.lua",
    "-- a/b c\n@@ -1,1 +1,1 @@\n\r@@ -1,1 +1,1 @@\n",
    "++ b/b c\n@@ -2,1 +2,1 @@\n \u2028@@ -1,1 +1,1 @@\n",
  ]);
});

test("names with blanks, quotes and letters beyond ASCII; several files", () => {
  const names = ["a b.py", "c d/e.py", 'quo"te.py', "back\\slash.py", "é.py", "tab\there.py"];
  for (const name of names) same([name, "x\n", "y\n"]);
  for (const name of names) same([name, null, "y\n"]);
  same(["a.py", "x\n", "y\n"], ["b c.py", null, "1\n2\n"], ["d.py", "same\n", "same\nmore\n"]);
});

test("generated texts: lines taken out, put in and changed, near each other and far apart", () => {
  const kept = fc.array(
    fc.record({ put: fc.nat({ max: 2 }), keep: fc.nat({ max: 9 }), cut: fc.nat({ max: 2 }) }),
    { maxLength: 6 },
  );
  const ends = fc.constantFrom("\n", "\r\n", "");
  fc.assert(
    fc.property(kept, ends, ends, (parts, oldEnd, newEnd) => {
      // No line stands twice, so there is one shortest diff.
      let line = 0;
      const before: string[] = [];
      const now: string[] = [];
      for (const { put, keep, cut } of parts) {
        for (let at = 0; at < cut; at++) before.push(`${line++}`);
        for (let at = 0; at < put; at++) now.push(`${line++}`);
        for (let at = 0; at < keep; at++) {
          before.push(`${line}`);
          now.push(`${line++}`);
        }
      }
      const text = (lines: string[], end: string) => (lines.length === 0 ? "" : lines.join("\n") + end);
      const [old, fresh] = [text(before, oldEnd), text(now, newEnd)];
      if (old !== fresh) same(["a.py", old, fresh]);
    }),
    { numRuns: 60 },
  );
});

test("more lines than are weighed: the changed middle as a whole, which git applies", () => {
  const lines = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `${from + at}\n`).join("");
  const [before, now] = [`a\nb\nc\nd\n${lines(0, 800)}z`, `a\nb\nc\nd\n${lines(5000, 800)}z`];
  same(["a.py", before, now]);
});
