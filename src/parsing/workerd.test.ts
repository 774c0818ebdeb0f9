/**
 * The Worker of the entities inside workerd, behind its binding: every grammar loads from its module, readings and plans are
 * those of the parser in-process, and what goes wrong on one side arrives on the other as what it is.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENTITIES_ENTRY, type RunningWorker, startWorker } from "../../test/running-worker.ts";
import type { EditCase } from "../../test/support/edit-cases.ts";
import type { PlanPosted } from "../../test/support/entities-caller.ts";
import { nodeEntityParser } from "../../test/support/entity-parser.ts";
import { MemoryHead, REPOSITORY_ID } from "../../test/support/memory-head.ts";
import { packed, unpacked } from "../../test/support/packed-bytes.ts";
import { recordingHead } from "../../test/support/recording-head.ts";
import { goCases } from "../core/entity/edit/go.fixture.ts";
import { javaCases } from "../core/entity/edit/java.fixture.ts";
import { javascriptCases } from "../core/entity/edit/javascript.fixture.ts";
import type { PlanRequest } from "../core/entity/edit/plan-mutation.ts";
import { pythonCases } from "../core/entity/edit/python.fixture.ts";
import { rustCases } from "../core/entity/edit/rust.fixture.ts";
import { typescriptCases } from "../core/entity/edit/typescript.fixture.ts";
import type { ErrorReport } from "../errors.ts";
import type { SourceFile, SourceReading } from "../ports/entity-parser.ts";

const here = nodeEntityParser();
let worker: RunningWorker;
let dying: RunningWorker;

const start = (entities: string) =>
  startWorker({ entry: "test/support/entities-caller.ts", kv: [], entities });

before(async () => {
  worker = await start(ENTITIES_ENTRY);
  dying = await start("test/support/dying-entities.ts");
});
after(async () => {
  await worker?.close();
  await dying?.close();
});

async function post<T>(path: string, given: unknown, at = worker): Promise<T> {
  const response = await fetch(`${at.url}${path}`, { method: "POST", body: packed(given) });
  return unpacked(await response.text()) as T;
}

const file = (path: string, text: string): SourceFile => ({
  repositoryId: REPOSITORY_ID,
  path,
  mode: "100644",
  bytes: new TextEncoder().encode(text),
});

type Failure = ErrorReport & { same: boolean };

const ALL_LANGUAGES = [
  file("a.go", "package a\n\nfunc F() {}\n"),
  file("a.py", "def f():\n    pass\n"),
  file("a.ts", "export interface I {}\n"),
  file("a.tsx", "export const V = () => <b/>;\n"),
  file("a.js", "class A { f() {} }\n) ö();\n"),
  file("a.rs", "struct S;\n"),
  file("A.java", "class A {}\n"),
  file("a.c", "int f(void) { return 1; }\n"),
  file("a.cpp", "namespace n { class C {}; }\n"),
  file("a.cs", "class C { void M() {} }\n"),
  file("a.rb", "class C\n  def m; end\nend\n"),
  file("a.php", "<?php\nfunction f() {}\n"),
  file("a.txt", "in no language\n"),
];

test("all twelve languages are read, in one call, as in-process", async () => {
  const readings = await post<SourceReading[]>("/read", ALL_LANGUAGES);
  assert.deepEqual(readings, await here.readAll(ALL_LANGUAGES));
  assert.deepEqual(
    readings.map((reading) => (reading.status === "read" ? reading.entities.length : reading.reason)),
    [1, 1, 1, 1, 2, 1, 1, 1, 2, 2, 2, 1, "language_unsupported"],
  );
});

/** Plans here, writing down what the view told, and there with these records. */
async function planTwice(head: MemoryHead, operations: PlanRequest["operations"]) {
  const { view, answers } = recordingHead(head);
  const request: PlanRequest = {
    repositoryId: REPOSITORY_ID,
    repository: "demo",
    branch: "main",
    head: head.head,
    tree: head.tree,
    operations,
  };
  const posted: PlanPosted = { request, answers };
  const mine = await here.plan(request, view);
  return { posted, here: mine, there: await post<unknown>("/plan", posted) };
}

const CASES: Record<string, readonly EditCase[]> = {
  Go: goCases,
  Java: javaCases,
  JavaScript: javascriptCases,
  Python: pythonCases,
  Rust: rustCases,
  TypeScript: typescriptCases,
};

for (const [language, cases] of Object.entries(CASES)) {
  test(`${language}: each edit is planned as in-process`, async () => {
    assert.ok(cases.length >= 20);
    for (const one of cases) {
      const head = new MemoryHead({ ...one.beside, [one.path]: one.source });
      const operations = await one.operations(head, (text) => text);
      const { here: mine, there } = await planTwice(head, operations);
      assert.equal(mine.status, "planned", one.name);
      assert.deepEqual(there, unpacked(packed(mine)), one.name);
    }
  });
}

test("a refusal crosses as data", async () => {
  const head = new MemoryHead({ "a.go": "package a\n\nfunc F() int { return 1 }\n" });
  const { here: mine, there } = await planTwice(head, [
    await head.patch("a.go", "F", ["return 1", "return ("]),
  ]);
  assert.equal(mine.status === "refused" && mine.refusal.code, "syntax_error");
  assert.deepEqual(there, mine);
});

test("the error that the view threw is the one that comes out", async () => {
  const head = new MemoryHead({ "a.go": "package a\n\nfunc F() {}\n" });
  const { posted } = await planTwice(head, [await head.remove("a.go", "F")]);
  const failure = await post<Failure>("/plan", { ...posted, answers: {} });
  assert.deepEqual(
    [failure.same, failure.code, failure.data],
    [true, "upstream_unavailable", { by: "the view" }],
  );
});

test("a bomb is refused there, and the next file read", async () => {
  const readings = await post<SourceReading[]>("/read", [
    file("a.go", "{".repeat(200_000)),
    file("a.go", "package a\n\nfunc G() {}\n"),
  ]);
  assert.deepEqual(
    readings.map((reading) => (reading.status === "read" ? reading.entities.length : reading.reason)),
    ["too_many_errors", 1],
  );
});

test("a file far beyond what is parsed is refused by its size: not all of it crosses", async () => {
  const [reading] = await post<SourceReading[]>("/read", [file("a.go", "x".repeat(36 * 1024 * 1024))]);
  assert.deepEqual(reading, {
    status: "refused",
    reason: "too_large",
    message: "a.go is larger than this service parses.",
  });
});

test("more than one message takes, both ways: all readings come, in their order", async () => {
  const source = Array.from({ length: 3_000 }, (_, index) => `def f${index}(): pass\n`).join("");
  const files = Array.from({ length: 5 }, (_, index) => file(`${"long/".repeat(600)}${index}.py`, source));
  const readings = await post<SourceReading[]>("/read", files);
  assert.equal(readings.length, 5);
  for (const [index, reading] of readings.entries()) {
    assert.equal(reading.status, "read");
    assert.equal(reading.entities.length, 3_000);
    assert.ok(reading.entities[0]?.path.endsWith(`/${index}.py`));
  }
});

test("a Worker that dies is entities_unavailable, and the caller goes on", async () => {
  const failure = await post<Failure>("/read", [file("bomb.go", "package a\n")], dying);
  assert.deepEqual([failure.code, failure.retryable], ["entities_unavailable", true]);
  const planned = await post<Failure>("/plan", { request: {}, answers: {} }, dying);
  assert.equal(planned.code, "entities_unavailable");
  const next = await post<SourceReading[]>("/read", [file("b.go", "package b\n")], dying);
  assert.deepEqual(next, [{ status: "refused", reason: "language_unsupported", message: "b.go" }]);
});

test("the Worker answers no request but its binding's: 404, without a word", async () => {
  assert.equal(await post<number>("/fetch", null), 404);
});
