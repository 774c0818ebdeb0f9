/** The call that goes on where content was cut. A line longer than the bound needs a greater one, or it is cut there again. */
import type { Call } from "../ports/call.ts";
import { LIMITS, type NextCall } from "../schema/common.ts";
import type { EvidencePack } from "../schema/evidence.ts";
import type { Located } from "./locate.ts";
import { nextTool } from "./next.ts";

type Cut = Pick<EvidencePack, "range" | "truncation">;

/** Null when the content was not cut, or when not even the greatest bound holds the next line. */
export function readOn(
  tool: "pin.read" | "pin.get_doc",
  located: Located,
  fields: Cut,
  maxBytes: number | undefined,
  call: Call,
): NextCall {
  const lineStart = fields.truncation?.nextLine ?? null;
  if (lineStart === null) return null;
  const stuck = lineStart === fields.range?.start;
  if (stuck && maxBytes === LIMITS.contentBytesMax) return null;
  return nextTool(tool, call.spelling, {
    repository: located.entry.name,
    sourcePath: located.sourcePath,
    sha: located.commitSha,
    lineStart,
    lineEnd: fields.range?.end,
    maxBytes: stuck ? LIMITS.contentBytesMax : maxBytes,
  });
}
