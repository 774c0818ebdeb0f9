/** The protocol versions that `/mcp` speaks: the modern one, which is served without initialization, and the SDK's older ones. */
import { SUPPORTED_PROTOCOL_VERSIONS as OLDER } from "@modelcontextprotocol/server";

/** Newest first. A test compares them with what `server/discover` answers. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [...new Set(["2026-07-28", ...OLDER])];
