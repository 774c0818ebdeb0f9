/** Verb, payload, target, body and bases belong together: every other combination is refused with the one that fits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";

const head = new MemoryHead({ "a.ts": "export function f() {}\n", "a.go": "package a\n" });
const { base, id } = await head.base("a.ts", "f");
const repository_base = head.repositoryBase();
const unit = { language: "go", package: ".", name: "a" };
const create = { name: "g", kind: "function" as const, body: "function g() {}" };

const op = (over: Partial<OperationInput>): OperationInput => ({
  verb: "patch",
  target: id,
  description: "",
  payload: {},
  ...over,
});

const misfits: [string, OperationInput][] = [
  ["no payload", op({})],
  ["two payloads", op({ payload: { EntitySourceBase: base, EntityRemove: { source_base: base } } })],
  [
    "patch as update",
    op({
      verb: "update",
      payload: { EntitySourcePatch: { source_base: base, edits: [{ old_text: "f", new_text: "g" }] } },
    }),
  ],
  [
    "patch of another target",
    op({
      target: "f",
      payload: { EntitySourcePatch: { source_base: base, edits: [{ old_text: "f", new_text: "g" }] } },
    }),
  ],
  [
    "patch with a body",
    op({
      body: "x",
      payload: { EntitySourcePatch: { source_base: base, edits: [{ old_text: "f", new_text: "g" }] } },
    }),
  ],
  ["update without a body", op({ verb: "update", payload: { EntitySourceBase: base } })],
  ["remove as update", op({ verb: "update", payload: { EntityRemove: { source_base: base } } })],
  ["remove with a body", op({ verb: "remove", body: "", payload: { EntityRemove: { source_base: base } } })],
  ["create in no form", op({ verb: "create", target: "g", payload: { EntityCreate: create } })],
  [
    "create in both forms",
    op({
      verb: "create",
      target: "g",
      payload: {
        EntityCreate: { ...create, unit, repository_base, source_base: base, placement: "sibling_after" },
      },
    }),
  ],
  [
    "create with half a form",
    op({ verb: "create", payload: { EntityCreate: { ...create, source_base: base } } }),
  ],
  [
    "create in a unit with another target",
    op({ verb: "create", target: "h", payload: { EntityCreate: { ...create, unit, repository_base } } }),
  ],
  [
    "create beside with imports",
    op({
      verb: "create",
      payload: { EntityCreate: { ...create, source_base: base, placement: "sibling_after", imports: ["x"] } },
    }),
  ],
  [
    "imports of another target",
    op({ verb: "update", target: "b", payload: { UnitImports: { repository_base, unit, add: ["fmt"] } } }),
  ],
  [
    "imports with a body",
    op({
      verb: "update",
      target: "a",
      body: "x",
      payload: { UnitImports: { repository_base, unit, add: ["fmt"] } },
    }),
  ],
];

for (const [name, input] of misfits) {
  test(`does not fit: ${name}`, async () => {
    const refusal = await head.refusal(input);
    assert.equal(refusal.code, "invalid_operation");
    assert.equal(refusal.operation, 0);
    assert.match(refusal.reason, /^operations\[0\]: /);
  });
}

const says: [string, OperationInput, reason: string, nextStep: string][] = [
  [
    "a body that lacks",
    op({ verb: "update", payload: { EntitySourceBase: base } }),
    "EntitySourceBase takes a body.",
    "Add body, the complete new source of the entity.",
  ],
  [
    "a body that does not belong",
    op({ verb: "remove", body: "", payload: { EntityRemove: { source_base: base } } }),
    "EntityRemove takes no body beside the payload.",
    "Drop body.",
  ],
  [
    "a second body of a creation",
    op({
      verb: "create",
      body: "x",
      payload: { EntityCreate: { ...create, source_base: base, placement: "sibling_after" } },
    }),
    "EntityCreate beside an entity takes no body beside the payload.",
    "Drop body: that of the payload counts.",
  ],
  [
    "the verb",
    op({ verb: "update", payload: { EntityRemove: { source_base: base } } }),
    "EntityRemove takes verb remove, not update.",
    "Send verb remove.",
  ],
  [
    "the target",
    op({ verb: "remove", target: "f", payload: { EntityRemove: { source_base: base } } }),
    "EntityRemove takes the entity_id of its source_base as target.",
    `Send target "${id}".`,
  ],
  [
    "all three at once",
    op({ target: "f", payload: { EntitySourceBase: base } }),
    "EntitySourceBase takes verb update, not patch, the entity_id of its source_base as target, a body.",
    `Send verb update; send target "${id}"; add body, the complete new source of the entity.`,
  ],
  [
    "the verb of imports",
    op({ verb: "create", target: "a", payload: { UnitImports: { repository_base, unit, add: ["fmt"] } } }),
    "UnitImports takes verb update, not create.",
    "Send verb update.",
  ],
  [
    "the target of imports of a file",
    op({
      verb: "update",
      target: "a",
      payload: { UnitImports: { repository_base, unit: { language: "go", path: "a.go" }, add: ["fmt"] } },
    }),
    "UnitImports takes unit.path as target.",
    'Send target "a.go".',
  ],
  [
    "the part of a form that lacks",
    op({ verb: "create", payload: { EntityCreate: { ...create, source_base: base } } }),
    "EntityCreate lacks placement.",
    "Add placement: sibling_after, or new_source_unit.",
  ],
];

for (const [name, input, reason, nextStep] of says) {
  test(`says what is off, and only that: ${name}`, async () => {
    const refusal = await head.refusal(input);
    assert.deepEqual([refusal.reason, refusal.next_step], [`operations[0]: ${reason}`, nextStep]);
  });
}

test("bases are closed and versioned", async () => {
  const changes: [string, unknown][] = [
    ["unknown version", { ...base, schema: "gitpin.source_base.v2" }],
    ["Kin's own", { ...base, schema: "kin.entity.source_base.v1" }],
    ["unknown field", { ...base, extra: 1 }],
    ["no field", { ...base, blob: undefined }],
    ["short hash", { ...base, blob: "abc" }],
    ["upper case", { ...base, head: base.head.toUpperCase() }],
    ["path outside", { ...base, path: "../a.ts" }],
    ["negative byte", { ...base, start_byte: -1 }],
    ["text", "base"],
    ["repository base", repository_base],
  ];
  for (const [name, value] of changes) {
    const payload = { EntityRemove: { source_base: value as Record<string, unknown> } };
    const refusal = await head.refusal(op({ verb: "remove", payload }));
    assert.equal(refusal.code, "invalid_base", name);
  }
});

test("bases of another repository or branch do not belong to the call", async () => {
  for (const over of [{ repository: "other" }, { branch: "dev" }]) {
    const payload = { EntityRemove: { source_base: { ...base, ...over } } };
    assert.equal((await head.refusal(op({ verb: "remove", payload }))).code, "invalid_base");
  }
});
