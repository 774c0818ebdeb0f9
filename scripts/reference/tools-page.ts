/** docs/reference/tools.md and the table in README.md: every tool, from its own definition. */
import { jsonSchema } from "../../src/tools/json-schema.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { nestedRows, schemaRows, table } from "./schema-rows.ts";

const underscored = (name: string): string => name.replaceAll(".", "_");

export const toolsPage = (tools: readonly Tool[]): string => `# Tools

${reach(tools)} A name with a dot has a second spelling, and both are always callable: \`${tools[0]?.name}\` as \`/mcp\` lists it, and \`${underscored(tools[0]?.name ?? "")}\` as \`/mcp?names=underscore\` does. A result is \`structuredContent\`, and the same JSON as text; the REST routes take and give the same fields.

${tools.map(section).join("\n\n")}
`;

function reach(tools: readonly Tool[]): string {
  const writing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
  if (writing.length === 0) return `All ${tools.length} tools are read-only.`;
  const names = writing.map(({ name }) => `\`${name}\``).join(", ");
  return `Of the ${tools.length} tools, all but ${names} are read-only.`;
}

function section(tool: Tool): string {
  const { name, title, description, route, input, output } = tool;
  const also = name === underscored(name) ? "" : `Also \`${underscored(name)}\`; `;
  const fields = nestedRows(jsonSchema(input, "input"));
  return [
    `## ${name}`,
    `**${title}.** ${also}REST: \`${route.methods.join("`, `")} ${route.path}\`.`,
    description.split("\n").join("\n\n"),
    fields.length === 0 ? "No arguments." : table(["argument", "type", "what it is"], fields),
    table(["result", "type", "what it is"], schemaRows(jsonSchema(output, "output"))),
  ].join("\n\n");
}

/** The table of README.md. */
export const toolsTable = (tools: readonly Tool[]): string =>
  table(
    ["tool", "what it is for"],
    tools.map(({ name, description }) => [`\`${underscored(name)}\``, description.split("\n")[0] ?? ""]),
  );
