import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { evidenceSetId, evidenceSetText, type SetItem } from "./evidence-set-id.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const item = (sourcePath: string, line: number | null = null, lineEnd: number | null = null): SetItem => ({
  repository: "app",
  sourcePath,
  commitSha: SHA,
  line,
  lineEnd,
});

test("the text is the documented one", () => {
  const text = evidenceSetText([
    item("src/b c.ts", 3),
    item("README.md"),
    item("src/b c.ts", 3, 7),
    item("README.md"),
  ]);
  assert.equal(
    text,
    `app\tREADME.md\t${SHA}\t\t\napp\tsrc/b%20c.ts\t${SHA}\t3\t3\napp\tsrc/b%20c.ts\t${SHA}\t3\t7\n`,
  );
});

test("the id is pinned", () => {
  assert.equal(
    evidenceSetId([item("README.md")]),
    "c4c425c7ecacb02da48aef81e0e4c029bc512f9bd668fc35dc6b050a119a125d",
  );
});

const items = fc.array(
  fc.record({
    repository: fc.constantFrom("app", "App", "lib.x"),
    sourcePath: fc.string({
      unit: fc.constantFrom("a", "B", "/", "\t", "\n", "é", "\uFF5E", "\u{1F600}"),
      minLength: 1,
      maxLength: 6,
    }),
    commitSha: fc.constant(SHA),
    line: fc.option(fc.integer({ min: 1, max: 12 })),
    lineEnd: fc.constant(null),
  }),
  { maxLength: 8 },
);

test("order and repetition do not count", () => {
  fc.assert(
    fc.property(items, (list) => {
      assert.equal(evidenceSetId([...list].reverse().concat(list)), evidenceSetId(list));
    }),
  );
});

test("sort and sha256sum compute the same id", () => {
  fc.assert(
    fc.property(items, (list) => {
      // One item at a time, so that sorting and removing duplicates are the shell's work.
      const unsorted = list.map((one) => evidenceSetText([one])).join("");
      const printed = execFileSync("sh", ["-c", "LC_ALL=C sort -u | sha256sum"], {
        input: unsorted,
      }).toString();
      assert.equal(`${evidenceSetId(list)}  -\n`, printed);
    }),
    { numRuns: 40 },
  );
});
