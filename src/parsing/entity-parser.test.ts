/** The port in-process: files read, refused and planned, places of faults, errors of the view as they were thrown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeEntityParser } from "../../test/support/entity-parser.ts";
import { MemoryHead, REPOSITORY_ID } from "../../test/support/memory-head.ts";
import { sourceRefused } from "../core/entity/source-refused.ts";
import { GitpinError } from "../errors.ts";
import type { SourceFile } from "../ports/entity-parser.ts";

const parser = nodeEntityParser();

const file = (path: string, text: string | Uint8Array, mode = "100644"): SourceFile => ({
  repositoryId: REPOSITORY_ID,
  path,
  mode,
  bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
});

test("a file is read into its entities, an owner before its members", async () => {
  const reading = await parser.read(file("a.js", "class A { f() {} }\n"));
  assert.equal(reading.status, "read");
  assert.deepEqual(
    [reading.language, reading.entities.map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`)],
    ["javascript", ["class A", "method A.f"]],
  );
  assert.deepEqual(reading.faults, []);
});

test("faults are told by 1-based line and column, in UTF-16 units", async () => {
  const reading = await parser.read(file("a.js", 'const s = "😀"; ) f();\nfunction f() {\n'));
  assert.equal(reading.status, "read");
  assert.deepEqual(reading.faults, [
    { path: "a.js", line: 1, column: 17, problem: "unreadable text" },
    { path: "a.js", line: 2, column: 15, problem: "missing }" },
  ]);
});

test("the list of faults is bounded", async () => {
  const reading = await parser.read(file("a.js", "const x = ;\n".repeat(2_000)));
  assert.equal(reading.status, "read");
  assert.equal(reading.faults.length, 1_000);
});

const REFUSED: [string, SourceFile, string, string][] = [
  [
    "no language",
    file("a.txt", "x"),
    "language_unsupported",
    "a.txt is in no language whose entities are read.",
  ],
  ["a symlink", file("a.go", "b.go", "120000"), "symlink", "a.go is a symlink, which is never followed."],
  ["binary", file("a.go", "package a\0"), "binary", "a.go holds NUL bytes, so it is binary."],
  ["not UTF-8", file("a.go", new Uint8Array([0xff])), "not_utf8", "a.go is not valid UTF-8."],
  [
    "a bomb",
    file("a.go", "{".repeat(200_000)),
    "too_many_errors",
    "a.go holds more syntax errors in one place than are walked.",
  ],
];

for (const [name, given, reason, message] of REFUSED) {
  test(`refused with its path and a reason: ${name}`, async () => {
    assert.deepEqual(await parser.read(given), { status: "refused", reason, message });
  });
}

test("a reading larger than an answer may be is refused: the path stands in each of its entities", async () => {
  const functions = "def f():pass\n".repeat(4_000);
  const short = await parser.read(file("a.py", functions));
  assert.equal(short.status === "read" && short.entities.length, 4_000);
  const long = await parser.read(file(`${"p/".repeat(2_000)}a.py`, functions));
  assert.equal(long.status === "refused" && long.reason, "parse_budget");
});

const request = (head: MemoryHead, operations: Parameters<MemoryHead["outcome"]>[0]) => ({
  repositoryId: REPOSITORY_ID,
  repository: "demo",
  branch: "main",
  head: head.head,
  tree: head.tree,
  operations,
});

test("a plan is the planner's", async () => {
  const head = new MemoryHead({ "a.go": "package a\n\nfunc F() int { return 1 }\n" });
  const operations = [await head.patch("a.go", "F", ["return 1", "return 2"])];
  const outcome = await parser.plan(request(head, operations), head);
  assert.equal(outcome.status, "planned");
  assert.deepEqual(outcome, await head.outcome(operations));
});

for (const thrown of [
  new GitpinError("upstream_unavailable", "GitHub does not answer.", "Ask again."),
  // By itself the planner answers this one as a refusal of the file.
  sourceRefused("too_large", "a.go"),
]) {
  test(`what the view throws is thrown as it was: ${thrown.code}`, async () => {
    const head = new MemoryHead({ "a.go": "package a\n\nfunc F() {}\n" });
    const operations = [await head.remove("a.go", "F")];
    head.file = () => Promise.reject(thrown);
    const failure = await parser.plan(request(head, operations), head).catch((error: unknown) => error);
    assert.equal(failure, thrown);
  });
}
