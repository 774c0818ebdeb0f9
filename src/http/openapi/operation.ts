/** An operation of the OpenAPI document and how its parts are made: query parameters from a schema, bodies with examples. */
import type * as z from "zod";
import { type JsonObject, jsonSchema } from "../../tools/json-schema.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Example } from "./examples.ts";

export interface Operation {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** As OpenAPI writes it: `/v1/tokens/{id}`. */
  path: string;
  object: JsonObject;
}

export type Examples = Readonly<Record<string, Example>>;

/** Without a credential one sees what is public; with one more. */
export const TOKEN_OR_NONE = [{}, { token: [] }];
export const TOKEN_ONLY = [{ token: [] }];

/** A tool that needs a scope names it, as OpenAPI 3.1 has roles of a token. */
export function toolSecurity({ scope }: Tool, anonymousScopes: readonly string[]): JsonObject[] {
  if (scope === undefined) return TOKEN_OR_NONE;
  return [...(anonymousScopes.includes(scope) ? [{}] : []), { token: [scope] }];
}

const isPlain = (schema: JsonObject): boolean =>
  schema.type !== "object" && !(schema.type === "array" && (schema.items as JsonObject)?.type === "object");

/** One for each field that a query can carry. Lists are repeated. */
export function queryParameters(schema: z.ZodObject, examples: Examples = {}): JsonObject[] {
  const { properties = {}, required = [] } = jsonSchema(schema, "input");
  return Object.entries(properties as Record<string, JsonObject>)
    .filter(([, property]) => isPlain(property))
    .map(([name, property]) => {
      const { description, ...rest } = property;
      const used = Object.entries(examples).filter(([, example]) => Object.hasOwn(example.arguments, name));
      return {
        name,
        in: "query",
        ...(description === undefined ? {} : { description }),
        required: (required as string[]).includes(name),
        schema: rest,
        ...(used.length === 0
          ? {}
          : {
              examples: Object.fromEntries(
                used.map(([key, example]) => [
                  key,
                  { summary: example.summary, value: example.arguments[name] },
                ]),
              ),
            }),
      };
    });
}

export const jsonBody = (schema: JsonObject, examples: Examples): JsonObject => ({
  required: true,
  content: {
    "application/json": {
      schema,
      examples: Object.fromEntries(
        Object.entries(examples).map(([key, example]) => [
          key,
          { summary: example.summary, value: example.arguments },
        ]),
      ),
    },
  },
});

export const jsonContent = (schema: JsonObject): JsonObject => ({ "application/json": { schema } });
export const TEXT = { "text/plain": { schema: { type: "string" } } };
