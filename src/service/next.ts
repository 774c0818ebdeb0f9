/** The suggested next call, spelled as the caller spells tool names. Arguments that are undefined are left out. */
import type { Spelling } from "../ports/call.ts";
import type { NextCall } from "../schema/common.ts";

export const spell = (dotted: string, spelling: Spelling): string =>
  spelling === "underscore" ? dotted.replaceAll(".", "_") : dotted;

export function nextTool(
  dotted: string,
  spelling: Spelling,
  values: Readonly<Record<string, unknown>>,
): NonNullable<NextCall> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return { tool: spell(dotted, spelling), arguments: Object.fromEntries(given) };
}
