/** What the MCP address may say: `/mcp` lists dotted names, `/mcp?names=underscore` the others. Nothing else. */
import * as z from "zod";
import { queryArguments } from "../http/query.ts";
import type { Spelling } from "../ports/call.ts";
import { checkArguments } from "../tools/invoke.ts";

const query = z.object({ names: z.enum(["dotted", "underscore"]).default("dotted") });

/** Throws `invalid_argument` for an unknown parameter or value. */
export function spellingAt(url: string): Spelling {
  return checkArguments(query, queryArguments(new URL(url).search, query)).names;
}
