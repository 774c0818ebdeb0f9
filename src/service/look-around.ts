/** Where to go on from a place that is not there: the file for a missing line, else the nearest directory above. */
import type { Call } from "../ports/call.ts";
import type { NextCall } from "../schema/common.ts";
import type { EvidencePack } from "../schema/evidence.ts";
import type { Located } from "./locate.ts";
import { nextTool } from "./next.ts";

export function lookAround(
  { entry, outcome, commitSha, sourcePath }: Located,
  { totalLines, entryType }: Pick<EvidencePack, "totalLines" | "entryType">,
  call: Call,
): NextCall {
  // Without the commit there is nothing to look at but HEAD.
  if (outcome.status === "missing" && outcome.what === "commit") {
    return nextTool("pin.read", call.spelling, { repository: entry.name });
  }
  const here = totalLines !== null || entryType === "directory";
  const above = sourcePath.slice(0, Math.max(0, sourcePath.lastIndexOf("/")));
  const path = here ? sourcePath : above;
  return nextTool("pin.read", call.spelling, {
    repository: entry.name,
    sourcePath: path === "" ? undefined : path,
    sha: commitSha,
  });
}
