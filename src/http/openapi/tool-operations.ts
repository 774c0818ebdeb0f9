/** The operations of tools: one for each method of a tool's route, from the tool's own words and schemas. */
import { type JsonObject, jsonSchema } from "../../tools/json-schema.ts";
import type { Tool } from "../../tools/tool.ts";
import { headerRefs, problems, ref } from "./components.ts";
import { TOOL_EXAMPLES } from "./examples.ts";
import { jsonBody, jsonContent, type Operation, queryParameters, TEXT, toolSecurity } from "./operation.ts";

const WORDS: Readonly<Record<number, string>> = {
  200: "The result.",
  403: "The result: policy forbids it. Or a problem.",
  404: "The result: it is missing. Or a problem.",
  409: "The result: it does not hold, or not all of it.",
  422: "The result: it cannot be done as asked. Or a problem.",
};

/** `pin.search_code`: `PinSearchCode` */
const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

export const resultName = (tool: Tool): string => `${pascal(tool.name)}Result`;

/** Statuses that a result can have: whatever the tool makes of each of its verdicts. */
export function resultStatuses(tool: Tool): number[] {
  const { properties } = jsonSchema(tool.output, "output");
  const verdicts = (properties as Record<string, JsonObject>).status?.enum;
  const results = Array.isArray(verdicts) ? verdicts.map((status) => ({ status })) : [{}];
  return [...new Set(results.map((result) => tool.httpStatus(result as never)))].toSorted((a, b) => a - b);
}

function responses(tool: Tool, method: string): JsonObject {
  const more = tool.annotations.readOnlyHint ? [] : [409, 507];
  const errors = problems(400, 401, 403, 404, 406, 413, 421, 422, 429, 500, 502, 503, 504, ...more);
  const results = Object.fromEntries(
    resultStatuses(tool).map((status) => {
      const problem =
        errors[String(status)] === undefined
          ? {}
          : { "application/problem+json": { schema: ref("schemas/Problem") } };
      return [
        String(status),
        {
          description: WORDS[status],
          headers: headerRefs(...(status === 200 && method === "get" ? ["etag"] : [])),
          content: { ...jsonContent(ref(`schemas/${resultName(tool)}`)), ...TEXT, ...problem },
        },
      ];
    }),
  );
  return {
    ...errors,
    ...(method === "get" && tool.pinned !== undefined
      ? { "304": { description: "What If-None-Match names still holds.", headers: headerRefs("etag") } }
      : {}),
    ...(method === "post" ? problems(415) : {}),
    ...results,
  };
}

export function toolOperations(tool: Tool, anonymousScopes: readonly string[]): Operation[] {
  const input = tool.rest?.input ?? tool.input;
  const examples = TOOL_EXAMPLES[tool.name] ?? {};
  return tool.route.methods.map((method) => {
    const lower = method === "GET" ? "get" : "post";
    return {
      method: lower,
      path: tool.route.path,
      object: {
        operationId: `${tool.name.replaceAll(".", "_")}_${lower}`,
        summary: tool.title,
        description: tool.description,
        tags: ["tools"],
        security: toolSecurity(tool, anonymousScopes),
        ...(lower === "get"
          ? { parameters: queryParameters(input, examples) }
          : { requestBody: jsonBody(jsonSchema(input, "input"), examples) }),
        responses: responses(tool, lower),
      },
    };
  });
}

export const toolSchemas = (tools: readonly Tool[]): JsonObject =>
  Object.fromEntries(tools.map((tool) => [resultName(tool), jsonSchema(tool.output, "output")]));
