/**
 * JSON Schema (draft 2020-12) of a tool's input and result, for MCP listings and OpenAPI. Made once per tool and
 * isolate. Unknown arguments are refused by `invoke.ts`, so the input says `additionalProperties: false`.
 */
import * as z from "zod";

export type JsonObject = { [key: string]: unknown };

const made = new WeakMap<z.ZodObject, Map<"input" | "output", JsonObject>>();

/** zod writes the bounds of exact integers on every `.int()`; they say nothing and cost every listing. */
function withoutIntegerBounds(node: JsonObject): void {
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
}

/** The schema without `$schema`: 2020-12 is what MCP and OpenAPI 3.1 take for granted. Do not change the object. */
export function jsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonObject {
  const known = made.get(schema) ?? new Map<"input" | "output", JsonObject>();
  made.set(schema, known);
  let form = known.get(io);
  if (form === undefined) {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, {
      io,
      override: ({ jsonSchema: node }) => withoutIntegerBounds(node as JsonObject),
    });
    form = { ...rest, additionalProperties: false };
    known.set(io, form);
  }
  return form;
}
