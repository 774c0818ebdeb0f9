/**
 * `tools/list`: names, prose and JSON Schemas of all tools in one spelling. Made once per spelling and isolate.
 * Prose in definitions is written with underscore names; here sibling names get the listing's spelling.
 */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Spelling } from "../ports/call.ts";
import { jsonSchema } from "../tools/json-schema.ts";
import { respellProse, spellName } from "../tools/spelling.ts";
import type { Tool } from "../tools/tool.ts";

function respellSchema(node: unknown, respell: (prose: string) => string): unknown {
  if (Array.isArray(node)) return node.map((child) => respellSchema(child, respell));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "description" && typeof value === "string" ? respell(value) : respellSchema(value, respell),
    ]),
  );
}

export function listTools(tools: readonly Tool[], spelling: Spelling): ListedTool[] {
  const respell = respellProse(
    tools.map((tool) => tool.name),
    spelling,
  );
  return tools.map((tool) => ({
    name: spellName(tool.name, spelling),
    title: tool.title,
    description: respell(tool.description),
    annotations: tool.annotations,
    inputSchema: respellSchema(jsonSchema(tool.input, "input"), respell) as ListedTool["inputSchema"],
    outputSchema: respellSchema(jsonSchema(tool.output, "output"), respell) as NonNullable<
      ListedTool["outputSchema"]
    >,
  }));
}
