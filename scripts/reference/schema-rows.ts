/**
 * A tool's JSON Schema as rows of a Markdown table: field, type in words, what it is. Fields of fields are rows of their own where
 * they are asked for, named as one reaches them: `operations[].verb`.
 */
import type { JsonObject } from "../../src/tools/json-schema.ts";

/** Text in a table cell: one line, no bar. */
export const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** One row a field, in the schema's order. */
export const schemaRows = (schema: JsonObject): string[][] => fieldsOf(schema).map(rowOf);

/** The same, each row followed by those of the fields inside it. */
export const nestedRows = (schema: JsonObject, within = ""): string[][] =>
  fieldsOf(schema).flatMap((field) => {
    const name = `${within}${field.name}`;
    const inner = insideOf(field.form, name).flatMap(([path, form]) => nestedRows(form, `${path}.`));
    return [rowOf({ ...field, name }), ...inner];
  });

interface Field {
  name: string;
  form: JsonObject;
  required: boolean;
}

function fieldsOf(schema: JsonObject): Field[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(objectAt(schema, "properties")).map(([name, node]) => ({
    name,
    form: node as JsonObject,
    required: required.has(name),
  }));
}

function rowOf({ name, form, required }: Field): string[] {
  const description = typeof form.description === "string" ? form.description : "";
  return [`\`${name}\``, `${typeText(form)}${required ? "" : ", optional"}`, description];
}

/** Objects that a field is or holds, each with how it is reached. */
function insideOf(form: JsonObject, name: string): [path: string, form: JsonObject][] {
  if (Array.isArray(form.anyOf)) return form.anyOf.flatMap((one) => insideOf(one as JsonObject, name));
  if (form.type === "array") return insideOf(objectAt(form, "items"), `${name}[]`);
  return form.type === "object" ? [[name, form]] : [];
}

function objectAt(node: JsonObject, key: string): JsonObject {
  const value = node[key];
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}

const quoted = (value: unknown): string => `\`${JSON.stringify(value)}\``;

function typeText(node: JsonObject): string {
  if (node.const !== undefined) return quoted(node.const);
  if (Array.isArray(node.enum)) return node.enum.map(quoted).join(", ");
  if (Array.isArray(node.anyOf)) {
    return node.anyOf.map((form) => typeText(form as JsonObject)).join(" or ");
  }
  if (Array.isArray(node.type)) return node.type.map((type) => typeText({ ...node, type })).join(" or ");
  if (node.type === "array") return `array of ${typeText(objectAt(node, "items"))}${bounds(node, "Items")}`;
  if (node.type === "object") return isChoice(node) ? "object with exactly one of its fields" : "object";
  if (node.type === "string") return `string${bounds(node, "Length")}`;
  if (node.type === "integer" || node.type === "number") return `${node.type}${numberBounds(node)}`;
  return typeof node.type === "string" ? node.type : "any";
}

/** Says of an object that it holds one of several fields, and no two: `oneOf` of nothing but required fields. */
const isChoice = ({ oneOf }: JsonObject): boolean =>
  Array.isArray(oneOf) && oneOf.every((form) => Object.keys(form as JsonObject).join() === "required");

function bounds(node: JsonObject, what: "Items" | "Length"): string {
  const [min, max] = [node[`min${what}`], node[`max${what}`]];
  if (min === undefined && max === undefined) return "";
  return ` (${min ?? 0} to ${max ?? "any"}${what === "Length" ? " units" : ""})`;
}

function numberBounds({ minimum, maximum }: JsonObject): string {
  if (minimum === undefined && maximum === undefined) return "";
  return maximum === undefined ? ` (${minimum} or more)` : ` (${minimum ?? "any"} to ${maximum})`;
}
