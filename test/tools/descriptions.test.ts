/** What can be checked of a tool's words without reading them: the mechanical part of good descriptions, for every tool. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listTools } from "../../src/mcp/tool-listing.ts";
import { spellName } from "../../src/tools/spelling.ts";
import { everyTool } from "./every-tool.ts";

interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  additionalProperties?: unknown;
  [key: string]: unknown;
}

const tools = everyTool();
const listed = listTools(tools, "underscore");
const names = listed.map(({ name }) => name);

/** Every property below a schema, with its path. */
function* propertiesOf(schema: Schema, at: string): Generator<[string, Schema]> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield [`${at}.${name}`, property];
    yield* propertiesOf(property, `${at}.${name}`);
    if (property.items !== undefined) yield* propertiesOf(property.items, `${at}.${name}[]`);
  }
}

/** Handed back as it was read: what is in it is checked by its own form, and its size by that of the call. */
const OPAQUE = /\.(?:source_base|repository_base|unit|EntitySourceBase)$/;

/** A text has a length, form or choice; a number its ends; a list its lengths. */
function isBounded(schema: Schema): boolean {
  if (schema.enum !== undefined || schema.const !== undefined || schema.type === "boolean") return true;
  if (schema.type === "string") return schema.maxLength !== undefined || /\$$/.test(String(schema.pattern));
  if (schema.type === "integer" || schema.type === "number")
    return schema.minimum !== undefined && schema.maximum !== undefined;
  if (schema.type === "array")
    return (
      schema.maxItems !== undefined &&
      schema.items !== undefined &&
      (isBounded(schema.items) || schema.items.type === "object")
    );
  return schema.type === "object" && schema.additionalProperties === false;
}

const words = (text: string) => text.trim().split(/\s+/).length;
const firstSentence = (text: string) => text.split(/(?<=[.:])\s/)[0] ?? "";
const FAILURE =
  /\b(missing|blocked|error|fail|fails|failure|failed|cannot|not-ok|incomplete|refused|status)\b/i;

for (const { name, title, description = "", annotations, inputSchema, outputSchema } of listed) {
  test(`${name}: title, annotations, schemas`, () => {
    assert.ok(title !== undefined && title.length >= 5 && title.length <= 60, title);
    assert.deepEqual(
      Object.values(annotations ?? {}).map((value) => typeof value),
      ["boolean", "boolean", "boolean", "boolean"],
    );
    assert.deepEqual(Object.keys(annotations ?? {}).sort(), [
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
      "readOnlyHint",
    ]);
    for (const schema of [inputSchema, outputSchema] as unknown as Schema[]) {
      assert.equal(schema.type, "object");
      for (const word of ["anyOf", "oneOf", "allOf", "$schema"]) assert.equal(schema[word], undefined, word);
      assert.equal(schema.additionalProperties, false);
    }
  });

  test(`${name}: every parameter is described and bounded`, () => {
    for (const [path, property] of propertiesOf(inputSchema as unknown as Schema, name)) {
      assert.ok((property.description ?? "").length >= 10, `${path} has no description`);
      if (OPAQUE.test(path)) assert.deepEqual(property.properties, {}, `${path} is not opaque`);
      else assert.ok(isBounded(property), `${path} has no bound: ${JSON.stringify(property)}`);
    }
  });

  test(`${name}: description`, () => {
    const count = words(description);
    assert.ok(count >= 40 && count <= 140, `${count} words`);
    const named = [...description.matchAll(/\b(?:(?:pin|kin)_[a-z_]+|get_entity_[a-z]+)/g)].map(
      ([word]) => word,
    );
    const siblings = named.filter((word) => word !== name);
    assert.deepEqual(
      siblings.filter((word) => !names.includes(word)),
      [],
      "names a tool that is not there",
    );
    assert.ok(siblings.length > 0, "names no sibling");
    assert.match(description, /\b(?:Use|use|instead|then use)\b/);
    assert.match(description, FAILURE);
    assert.doesNotMatch(description, /\bpin\.[a-z]/, "written with dotted names");
  });
}

test("no two descriptions begin alike; names, titles and routes are single", () => {
  for (const values of [
    listed.map(({ description = "" }) => firstSentence(description)),
    names,
    listed.map(({ title }) => title),
    tools.map(({ route }) => route.path),
  ]) {
    assert.deepEqual([...new Set(values)], values);
  }
});

/** Tools about entities stand together under an address of their own. */
const ENTITY_ROUTES: Record<string, string> = {
  kin_status: "/v1/kin/status",
  kin_find_entities: "/v1/kin/entities",
  get_entity_source: "/v1/kin/source",
  kin_mutate: "/v1/kin/mutate",
};

test("the route of a tool is its name, and every tool takes POST", () => {
  for (const { name, route } of tools) {
    const named = `/v1/${name.replace(/^pin\./, "").replaceAll("_", "-")}`;
    assert.equal(route.path, ENTITY_ROUTES[name] ?? named);
    assert.ok(route.methods.includes("POST"), name);
  }
});

test("what the dotted listing says differs in the spelling of names alone", () => {
  const dotted = listTools(tools, "dotted");
  assert.deepEqual(
    dotted.map(({ name }) => name),
    tools.map(({ name }) => name),
  );
  let respelt = JSON.stringify(dotted);
  for (const { name } of [...tools].sort((a, b) => b.name.length - a.name.length)) {
    respelt = respelt.replaceAll(name, spellName(name, "underscore"));
  }
  assert.equal(respelt, JSON.stringify(listed));
});
