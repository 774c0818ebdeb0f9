/** Arguments and results at the border of a tool. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { newLedger } from "../ports/ledger.ts";
import { mutateInput } from "../schema/mutation.ts";
import { checkArguments, fieldName, invoke } from "./invoke.ts";
import { jsonSchema } from "./json-schema.ts";
import { READ_ONLY, type Tool } from "./tool.ts";

const schema = z.object({
  path: z.string().min(1),
  line: z.number().int().min(1).optional(),
  items: z.array(z.strictObject({ sha: z.string() })).optional(),
});

const problem = (given: unknown): GitpinError => faultOf(schema, given);

const faultOf = (of: z.ZodObject, given: unknown): GitpinError => {
  try {
    checkArguments(of, given);
  } catch (error) {
    if (error instanceof GitpinError) return error;
  }
  throw new Error("the arguments were accepted");
};

test("each fault names its field", () => {
  for (const [given, field, message] of [
    [{}, "path", /"path" is required/],
    [{ path: "" }, "path", /"path"/],
    [{ path: "a", line: "1" }, "line", /"line"/],
    [{ path: "a", line: 0 }, "line", /"line"/],
    [{ path: "a", sha: "b" }, "sha", /"sha" is not an argument of this tool \(known: path, line, items\)/],
    [{ path: "a", items: [{}] }, "items[0].sha", /"items\[0\]\.sha" is required/],
    [
      { path: "a", items: [{ sha: "b", x: 1 }] },
      "items[0].x",
      /"items\[0\]\.x" is not known there \(known: sha\)/,
    ],
    [null, "arguments", /"arguments"/],
    [[], "arguments", /"arguments"/],
    ["text", "arguments", /"arguments"/],
  ] as const) {
    const error = problem(given);
    assert.equal(error.code, "invalid_argument");
    assert.equal(error.data.field, field);
    assert.match(error.message, message);
    const nested = field.startsWith("items[0]");
    assert.match(
      error.nextStep,
      nested ? /Known in "items\[0\]": sha\.$/ : /Known arguments: path, line, items\.$/,
    );
    assert.deepEqual(error.data.known, nested ? ["sha"] : ["path", "line", "items"]);
  }
});

test("a fault inside of an operation tells the names of its own place", () => {
  const create = { name: "f", kind: "enum", body: "" };
  const given = (payload: object) => ({
    operations: [{ verb: "create", target: "f", description: "", payload }],
  });
  for (const [payload, field, known] of [
    [{ EntityMove: {} }, "operations[0].payload.EntityMove", "EntitySourcePatch"],
    [
      { EntityCreate: { ...create, kind: "type", body: "x", at: 1 } },
      "operations[0].payload.EntityCreate.at",
      "placement",
    ],
    [{ EntityCreate: create }, "operations[0].payload.EntityCreate.kind", "placement"],
    [
      { EntitySourcePatch: { source_base: {}, edits: [{ old: "" }] } },
      "operations[0].payload.EntitySourcePatch.edits[0].old_text",
      "new_text",
    ],
  ] as const) {
    const error = faultOf(mutateInput, given(payload));
    assert.equal(error.data.field, field.slice(0, 60));
    assert.ok((error.data.known as string[]).includes(known), JSON.stringify(error.data.known));
    assert.ok(!(error.data.known as string[]).includes("operations"));
  }
});

test("many faults are counted, and the caller's text is bounded", () => {
  const error = problem(
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${"x".repeat(500)}${at}`, 1])),
  );
  assert.ok(error.message.length < 1000);
  assert.match(error.message, /and 46 more\.$/);
  assert.ok(String(error.data.field).length <= 60);
});

test("field names", () => {
  assert.equal(fieldName([]), "arguments");
  assert.equal(fieldName(["a", 0, "b"]), "a[0].b");
});

const call: Call = {
  caller: { id: "test", team: null, scopes: [] },
  spelling: "dotted",
  ledger: newLedger(),
  background: { keepAlive: () => undefined },
};

const output = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });

const toolGiving = (result: unknown): Tool => ({
  name: "pin.test",
  title: "Test",
  description: "Test.",
  annotations: READ_ONLY,
  input: schema,
  output,
  route: { path: "/v1/test", methods: ["GET"] },
  run: async () => result as Record<string, unknown>,
  httpStatus: () => 200,
  text: () => "",
});

test("a result of the schema comes out, and nothing beside it", async () => {
  const sha = "0".repeat(40);
  assert.deepEqual(await invoke(toolGiving({ sha, leak: "x" }), { path: "a" }, call), { sha });
});

test("a result that is not of the schema is held back", async () => {
  await assert.rejects(invoke(toolGiving({ sha: "private" }), { path: "a" }, call), (error: unknown) => {
    assert.ok(error instanceof GitpinError);
    assert.equal(error.code, "internal");
    assert.doesNotMatch(JSON.stringify(error.report()), /private/);
    return true;
  });
});

test("JSON Schemas say what is enforced, and no more", () => {
  assert.deepEqual(
    jsonSchema(z.object({ n: z.number().int(), m: z.number().int().min(1).max(5) }), "input"),
    {
      type: "object",
      properties: { n: { type: "integer" }, m: { type: "integer", minimum: 1, maximum: 5 } },
      required: ["n", "m"],
      additionalProperties: false,
    },
  );
  assert.equal(jsonSchema(schema, "input"), jsonSchema(schema, "input"));
});
