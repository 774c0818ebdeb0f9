/**
 * `tools/call`: finds the tool under either spelling and gives its result the form of MCP. What the caller can mend
 * is a tool error (`isError`) holding the report; only a tool that does not exist is a protocol error.
 */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Spelling } from "../ports/call.ts";
import { invoke } from "../tools/invoke.ts";
import { respellProse, spellingOf, spellName } from "../tools/spelling.ts";
import type { Tool } from "../tools/tool.ts";
import { progressOf } from "./progress.ts";
import type { Visit } from "./visit.ts";

export type ToolTable = ReadonlyMap<string, Tool>;

/** Every tool under both of its names. */
export const toolTable = (tools: readonly Tool[]): ToolTable =>
  new Map(
    tools.flatMap((tool): [string, Tool][] => [
      [tool.name, tool],
      [spellName(tool.name, "underscore"), tool],
    ]),
  );

const names = (table: ToolTable, spelling: Spelling): string[] => [
  ...new Set([...table.values()].map((tool) => spellName(tool.name, spelling))),
];

function unknownTool(written: string, table: ToolTable, spelling: Spelling): ProtocolError {
  const known = names(table, spelling);
  const name = written.length > 60 ? `${written.slice(0, 60)}…` : written;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${name}. Tools here: ${known.join(", ")}.`,
    { field: "name", known, nextStep: "Call one of the known tools; tools/list describes them." },
  );
}

export async function callTool(
  table: ToolTable,
  written: string,
  given: unknown,
  visit: Visit,
  context: ServerContext,
): Promise<CallToolResult> {
  const tool = table.get(written);
  if (tool === undefined) throw unknownTool(written, table, visit.spelling);
  // A `next` comes back as this call was spelled; a name that has only one spelling follows the address.
  const spelling = tool.name.includes(".") ? spellingOf(written) : visit.spelling;
  visit.exchange.ran(tool.name);
  try {
    const result = await invoke(tool, given ?? {}, {
      ...visit.call,
      spelling,
      signal: eitherOf(context.mcpReq.signal, visit.call.signal),
      progress: progressOf(context),
    });
    visit.exchange.answered(tool.httpStatus(result));
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  } catch (thrown) {
    const report = visit.exchange.failed(thrown).report();
    const nextStep = respellProse(names(table, "dotted"), spelling)(report.nextStep);
    const text = JSON.stringify({ error: { ...report, nextStep } });
    return { isError: true, content: [{ type: "text", text }] };
  }
}

/** The client cancels by a message or by leaving. */
const eitherOf = (one: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? one : AbortSignal.any([one, other]);
