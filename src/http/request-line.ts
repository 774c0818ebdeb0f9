/**
 * The one log line of a request. Owns which facts are written; refuses queries, arguments, content and tokens:
 * of an unknown fault only its type, its place in our code and the names of wrong result fields are kept.
 */
import type { ErrorCode, GitpinError } from "../errors.ts";
import { fieldName } from "../tools/invoke.ts";

export interface RequestLine {
  event: "request";
  requestId: string;
  method: string;
  /** The route's pattern, never the address that was asked for. */
  route: string;
  /** Dotted names of the tools that ran, comma-separated; null when none did. */
  tool: string | null;
  /** JSON-RPC method, on the MCP route. */
  rpc: string | null;
  status: number;
  error: ErrorCode | null;
  upstreamRequests: number;
  notModified: number;
  cacheHits: number;
  durationMs: number;
  /** `Caller.id`; null when the request was refused before the caller was known. */
  caller: string | null;
  fault: Fault | null;
}

/** What is kept of a fault of ours. */
export interface Fault {
  name: string;
  /** Stack frames without the message. */
  at: readonly string[];
  /** Fields of a result that are not of its schema. */
  fields: readonly string[];
}

interface Issues {
  issues: readonly { path: readonly PropertyKey[] }[];
}

const hasIssues = (thrown: unknown): thrown is Issues =>
  typeof thrown === "object" && thrown !== null && Array.isArray((thrown as Partial<Issues>).issues);

/** Null for errors that the caller or the host can mend: their code says all there is. */
export function faultOf(error: GitpinError): Fault | null {
  if (error.form.fault !== "service") return null;
  const cause = error.cause ?? error;
  // A message of several lines could hold content that looks like a frame.
  const stack = cause instanceof Error ? (cause.stack ?? "").replace(cause.message, "") : "";
  return {
    name: cause instanceof Error ? cause.name : typeof cause,
    at: stack
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 5)
      .map((line) => line.trim()),
    fields: hasIssues(cause) ? cause.issues.slice(0, 10).map((issue) => fieldName(issue.path)) : [],
  };
}
