/** What a receipt leads to: places and lines of what was written, literally. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MutationPlan, PlannedEntity, PlannedFile } from "../../core/entity/edit/outcome.ts";
import type { Entity } from "../../core/entity/entity.ts";
import { sha256 } from "../../core/git/hash.ts";
import type { NextCall } from "../../schema/common.ts";
import { proveWritten } from "./prove-written.ts";

const COMMIT = "c".repeat(40);

const file = (path: string, text: string, added: PlannedFile["added"]): PlannedFile => ({
  path,
  mode: "100644",
  bytes: new TextEncoder().encode(text),
  blob: "",
  previousBlob: null,
  added,
});

const entity = (
  path: string,
  startLine: number,
  endLine: number,
  effect: PlannedEntity["effect"] = "edited",
): PlannedEntity => ({ operation: 0, effect, entity: { path, startLine, endLine } as Entity, source: null });

const plan = (files: PlannedFile[], entities: PlannedEntity[]): MutationPlan => ({
  files,
  entities,
  diff: "",
  rebasedFrom: [],
  earlierFaults: [],
});

const itemsOf = (next: NextCall): Record<string, unknown>[] =>
  next?.arguments.items as Record<string, unknown>[];

const TEXT = "import a\nimport b\n\n# A longer comment that was there.\ndef f():\n    return b\n";

test("an edited entity by a line that the commit added, and by the hash of its lines", () => {
  const edited = plan([file("m.py", TEXT, [{ start: 6, end: 6 }])], [entity("m.py", 4, 6)]);
  const place = { repository: "app", sha: COMMIT, sourcePath: "m.py" };
  assert.deepEqual(proveWritten("app", edited, COMMIT, true), {
    next: {
      tool: "pin.verify",
      arguments: {
        ...place,
        line: 4,
        lineEnd: 6,
        mustContain: "return b",
        contentSha256: sha256("# A longer comment that was there.\ndef f():\n    return b\n"),
      },
    },
    omitted: 0,
  });
  assert.deepEqual(proveWritten("app", edited, COMMIT, false).next, {
    tool: "pin.prove",
    arguments: { ...place, lineStart: 4, lineEnd: 6, claim: "return b" },
  });
});

test("what was written outside of entities is looked at too; blank lines and what was only taken away are not", () => {
  const added = [
    { start: 2, end: 2 },
    { start: 3, end: 3 },
    { start: 5, end: 5 },
  ];
  const { next } = proveWritten(
    "app",
    plan([file("m.py", TEXT, added)], [entity("m.py", 4, 6)]),
    COMMIT,
    false,
  );
  assert.equal(next?.tool, "pin.prove_set");
  assert.deepEqual(
    itemsOf(next).map(({ lineStart, lineEnd, claim }) => [lineStart, lineEnd, claim]),
    [
      [4, 6, "def f():"],
      [2, 2, "import b"],
    ],
  );
  const shrunk = plan([file("m.py", TEXT, [])], [entity("m.py", 4, 6)]);
  assert.equal(
    proveWritten("app", shrunk, COMMIT, true).next?.arguments.mustContain,
    "# A longer comment that was there.",
  );
  const removed = plan([file("m.py", TEXT, [])], [entity("m.py", 4, 6, "removed")]);
  assert.deepEqual(proveWritten("app", removed, COMMIT, true), {
    next: { tool: "pin.read", arguments: { repository: "app", sourcePath: "m.py", sha: COMMIT } },
    omitted: 0,
  });
});

test("a set takes eight, and it is said how many it leaves out", () => {
  const names = Array.from({ length: 10 }, (_, index) => `m${index}.py`);
  const many = plan(
    names.map((path) => file(path, TEXT, [{ start: 6, end: 6 }])),
    names.map((path) => entity(path, 4, 6)),
  );
  const { next, omitted } = proveWritten("app", many, COMMIT, true);
  assert.equal(itemsOf(next).length, 8);
  assert.equal(omitted, 2);
});
