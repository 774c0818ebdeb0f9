/** A mutation as text: literally, for each status. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MutationResult } from "../schema/mutation-result.ts";
import { mutationText } from "./mutation-text.ts";

const COMMIT = "a".repeat(40);
const PARENT = "b".repeat(40);

const made = (over: Partial<MutationResult>): MutationResult => ({
  product: "gitpin",
  contract: "index-free-git-head-evidence",
  kind: "mutation-result",
  status: "committed",
  applied: true,
  repository: "app",
  branch: "main",
  next: null,
  ...over,
});

const entities: MutationResult["entities"] = [
  {
    operation: 0,
    effect: "edited",
    id: "id-1",
    name: "Get",
    qualified_name: "Store.Get",
    kind: "method",
    path: "api/my store.go",
    lines: { start: 3, end: 9 },
    source_base: null,
  },
  {
    operation: 1,
    effect: "removed",
    id: "id-2",
    name: "old",
    qualified_name: "old",
    kind: "const",
    path: "a.ts",
    lines: { start: 7, end: 7 },
    source_base: null,
  },
];
const landed = {
  commitSha: COMMIT,
  parent: PARENT,
  modified_files: ["a.ts", "api/my store.go"],
  ops_applied: 2,
};

test("a receipt: the whole commit id, each entity by its citation, the call that proves it, the diff", () => {
  const next = { tool: "pin.verify", arguments: { repository: "app", mustContain: "x\u200d\u{e0001}y" } };
  const diff = "diff --git a/a.ts b/a.ts\n";
  assert.equal(
    mutationText(made({ ...landed, entities, url: "https://host.example/c", next, diff })),
    [
      `committed ${COMMIT} on main of app: 2 files, 2 operations`,
      "https://host.example/c",
      `edited  app/api/my%20store.go:3-9 @ ${COMMIT}  method Store.Get  id-1`,
      `removed  app/a.ts:7 @ ${PARENT}  const old  id-2`,
      'next: pin.verify {"repository":"app","mustContain":"x\\u200d\\udb40\\udc01y"}',
      "diff --git a/a.ts b/a.ts\n",
    ].join("\n"),
  );
});

test("a receipt that leaves something out counts it", () => {
  const next = { tool: "pin_verify_set", arguments: { items: "x".repeat(5_000) } };
  assert.equal(
    mutationText(made({ ...landed, already_applied: true, entities_omitted: 1, next, next_omits: 2 })),
    [
      `committed ${COMMIT} (by an earlier call) on main of app: 2 files, 2 operations`,
      "and 1 more entity",
      "next: pin_verify_set with the arguments that the answer as JSON holds",
      "2 places are not looked at by it",
    ].join("\n"),
  );
});

test("a plan: entities by path and lines, for there is no commit to cite", () => {
  const text = mutationText(made({ status: "planned", applied: false, modified_files: ["a.ts"], entities }));
  assert.equal(
    text,
    [
      "planned on main of app: 1 file, nothing was written",
      "edited  api/my store.go:3-9  method Store.Get  id-1",
      "removed  a.ts:7-7  const old  id-2",
    ].join("\n"),
  );
});

test("a conflict: why, what to do, and the base that this takes", () => {
  assert.equal(
    mutationText(
      made({
        status: "conflict",
        applied: false,
        code: "source_base_conflict",
        operation: 0,
        reason: "The entity's source has changed since it was read.",
        next_step: "Compare current_source with what you meant.",
        current_repository_base: { head: COMMIT },
        current_source: { body: "f()\n", source_base: { blob: PARENT } },
      }),
    ),
    [
      "conflict  source_base_conflict  operations[0]  The entity's source has changed since it was read.",
      "nothing was written",
      "next: Compare current_source with what you meant.",
      `current_repository_base: {"head":"${COMMIT}"}`,
      `current_source.source_base: {"blob":"${PARENT}"}`,
      "current_source.body:",
      "f()\n",
    ].join("\n"),
  );
});

test("a refusal: why, what to do, each fault, the call that looks again", () => {
  assert.equal(
    mutationText(
      made({
        status: "refused",
        applied: false,
        code: "syntax_error",
        operation: null,
        reason: "a.ts would hold 1 new syntax error(s).",
        next_step: "Correct it.",
        faults: [{ path: "a.ts", line: 3, column: 2, problem: "unreadable text\u001b[2J" }],
        next: { tool: "kin_status", arguments: { repository: "app" } },
      }),
    ),
    [
      "refused  syntax_error  a.ts would hold 1 new syntax error(s).",
      "nothing was written",
      "next: Correct it.",
      "a.ts:3:2  unreadable text\ufffd[2J",
      'next: kin_status {"repository":"app"}',
    ].join("\n"),
  );
});
