/** The input of `kin_mutate` against Kin's published schema of v0.7.17, which stands beside this file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import kin from "./kin-mutate-0.7.17.json" with { type: "json" };
import { mutateInput } from "./mutation.ts";

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema };

const published = kin as Schema;
const ours = z.toJSONSchema(mutateInput, { io: "input" }) as Schema;

/** Ours says what is true here: where bases come from, that more languages and kinds are reached, and what goes where. */
const REWORDED = new Set([
  "operations.verb",
  "operations.target",
  "operations.body",
  "operations.payload",
  "operations.payload.EntityRemove",
  ...["EntitySourcePatch", "EntityCreate", "EntityRemove"].map(
    (name) => `operations.payload.${name}.source_base`,
  ),
  "operations.payload.EntitySourceBase",
  "operations.payload.EntityCreate",
  ...["name", "body", "imports", "repository_base", "unit"].map(
    (name) => `operations.payload.EntityCreate.${name}`,
  ),
  "operations.payload.UnitImports",
  "operations.payload.UnitImports.repository_base",
  "operations.payload.UnitImports.unit",
]);

function compare(theirs: Schema, mine: Schema, at: string): void {
  assert.equal(mine.type, theirs.type, `${at} type`);
  assert.deepEqual(mine.enum, theirs.enum, `${at} enum`);
  assert.deepEqual(
    [...((mine.required as string[]) ?? [])].sort(),
    [...((theirs.required as string[]) ?? [])].sort(),
    at,
  );
  for (const word of ["oneOf", "minLength", "minItems"]) {
    if (theirs[word] !== undefined) assert.deepEqual(mine[word], theirs[word], `${at} ${word}`);
  }
  if (theirs.description !== undefined && !REWORDED.has(at))
    assert.equal(mine.description, theirs.description, at);
  for (const [name, property] of Object.entries(theirs.properties ?? {})) {
    const own = mine.properties?.[name];
    assert.ok(own, `${at}.${name} is missing`);
    compare(property, own, at === "" ? name : `${at}.${name}`);
  }
  if (at.startsWith("operations")) {
    const more = Object.keys(mine.properties ?? {}).filter(
      (name) => theirs.properties !== undefined && !(name in theirs.properties),
    );
    assert.deepEqual(more, [], `${at} has more properties`);
  }
  if (theirs.items !== undefined) compare(theirs.items, mine.items ?? {}, at);
}

test("every published name, word, enumeration and required field is kept", () =>
  compare(published, ours, ""));

test("only these inputs are added, all optional", () => {
  const added = Object.keys(ours.properties ?? {}).filter((name) => !(name in (published.properties ?? {})));
  assert.deepEqual(added, ["dry_run", "request_id", "branch", "create_branch", "pull_request"]);
  assert.deepEqual(ours.required, ["operations"]);
});

test("no combinator at the top: clients drop such tools", () => {
  for (const word of ["anyOf", "oneOf", "allOf"]) assert.equal(ours[word], undefined);
});

test("every string is bounded, every field described", () => {
  const walk = (schema: Schema, at: string): void => {
    if (schema.type === "string" && schema.enum === undefined)
      assert.ok(schema.maxLength, `${at} has no bound`);
    if (schema.type === "array") assert.ok(schema.maxItems, `${at} has no bound`);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const closed = property.enum !== undefined || name.startsWith("Entity");
      if (!closed) assert.ok(property.description, `${at}.${name} has no description`);
      walk(property, `${at}.${name}`);
    }
    if (schema.items !== undefined) walk(schema.items, at);
  };
  walk(ours, "");
});

test("a call of the published form parses unchanged", () => {
  const call = {
    operations: [
      {
        verb: "patch",
        target: "3f1c",
        description: "why",
        payload: { EntitySourcePatch: { source_base: { any: 1 }, edits: [{ old_text: "a", new_text: "" }] } },
      },
      {
        verb: "create",
        target: "Open",
        description: "",
        payload: {
          EntityCreate: {
            name: "Open",
            kind: "function",
            body: "func Open() {}",
            repository_base: {},
            unit: { language: "go", package: ".", name: "store" },
            imports: ["fmt"],
          },
        },
      },
    ],
    summary: "Opens",
  };
  assert.deepEqual(mutateInput.parse(call), call);
  assert.throws(() => mutateInput.parse({ ...call, session: "x" }));
});
