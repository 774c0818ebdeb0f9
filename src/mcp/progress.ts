/**
 * Progress of one call as MCP has it: notifications with the token that the client sent, none without a token. Told about
 * once for each MiB of an archive, so small ones pass without a word. Bytes only grow, also over several archives.
 */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { StreamProgress } from "../ports/commit-files.ts";

const STEP = 1024 * 1024;

/** Whether a JSON-RPC message asks for progress: then its answer may be a stream. */
export function asksForProgress(message: unknown): boolean {
  const meta = member(member(message, "params"), "_meta");
  const token = member(meta, "progressToken");
  return typeof token === "string" || typeof token === "number";
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Undefined where the client did not ask. */
export function progressOf({ mcpReq }: ServerContext): StreamProgress | undefined {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  let before = 0;
  let last = 0;
  let told = 0;
  return (bytes, total) => {
    // Fewer bytes than the last time: another archive has begun.
    if (bytes < last) before += last;
    last = bytes;
    const progress = before + bytes;
    if (progress - told < STEP) return;
    told = progress;
    const mebibytes = Math.floor(progress / STEP);
    const params = {
      progressToken: token,
      progress,
      ...(total === null || before > 0 ? {} : { total }),
      message: `${mebibytes} MiB of the commit's archive`,
    };
    // Nobody is left to be told when this fails.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
