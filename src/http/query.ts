/**
 * Query parameters as a tool's arguments. Owns strict decoding and coercion by the schema's own types: nothing is
 * guessed, so a parameter that is unknown, repeated, empty or badly encoded is `invalid_argument` naming the field.
 */
import type * as z from "zod";
import { GitpinError } from "../errors.ts";

function wrong(field: string, problem: string, nextStep: string): GitpinError {
  return new GitpinError("invalid_argument", `"${field}" ${problem}.`, nextStep, { field });
}

/** `URLSearchParams` would turn malformed bytes into U+FFFD, and so ask for something else than was meant. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

/** All values by name, in order of appearance. `search` is a URL's, with or without its question mark. */
export function parseQuery(search: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of search.replace(/^\?/, "").split("&")) {
    if (pair === "") continue;
    const split = pair.indexOf("=");
    const name = decode(split < 0 ? pair : pair.slice(0, split));
    if (name === null) throw wrong("query", "is not percent-encoded UTF-8", "Percent-encode the query.");
    const value = decode(split < 0 ? "" : pair.slice(split + 1));
    const field = name.slice(0, 60);
    if (value === null) throw wrong(field, "is not percent-encoded UTF-8", `Percent-encode ${field}.`);
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

/** The schema below `optional()`, `default()`, `nullable()` and their like. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const definition = schema._zod.def as z.core.$ZodTypeDef & { innerType?: z.core.$ZodType };
  return definition.innerType === undefined ? schema : bare(definition.innerType);
}

function coerce(field: string, text: string, schema: z.core.$ZodType): unknown {
  if (text === "") throw wrong(field, "is empty", `Give ${field} a value, or leave it out.`);
  switch (schema._zod.def.type) {
    case "number":
      if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
      throw wrong(field, "must be a number", `Send ${field} in decimal digits.`);
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      throw wrong(field, "must be true or false", `Send ${field}=true or ${field}=false.`);
    case "object":
    case "record":
    case "array":
      throw wrong(field, "cannot be sent in a query", `Send ${field} in a JSON body with POST.`);
    default:
      return text;
  }
}

/** A list may come as one JSON array too; null for any other text. */
function jsonList(text: string): unknown[] | null {
  if (!text.startsWith("[")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null; // A glob may start with a bracket: it is then an ordinary value.
  }
}

/** Arguments from a URL's query. Only fields that are lists may be repeated. The schema itself is checked later. */
export function queryArguments(search: string, schema: z.ZodObject): Record<string, unknown> {
  const given: [string, unknown][] = [];
  for (const [name, values] of parseQuery(search)) {
    const known = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (known === undefined) {
      const names = Object.keys(schema.shape);
      throw new GitpinError(
        "invalid_argument",
        `"${name.slice(0, 60)}" is not a parameter here (known: ${names.join(", ") || "none"}).`,
        "Leave it out, or use one of the known parameters.",
        { field: name.slice(0, 60), known: names },
      );
    }
    const type = bare(known);
    const [first = ""] = values;
    if (type._zod.def.type === "array") {
      const element = bare((type as z.core.$ZodArray)._zod.def.element);
      const list = values.length === 1 ? jsonList(first) : null;
      given.push([name, list ?? values.map((value) => coerce(name, value, element))]);
    } else if (values.length > 1) {
      throw wrong(name, `is given ${values.length} times`, `Send ${name} once.`);
    } else given.push([name, coerce(name, first, type)]);
  }
  return Object.fromEntries(given);
}
