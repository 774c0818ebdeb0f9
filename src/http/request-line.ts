/**
 * The one log line of a request; `docs/reference/log-line.md` describes every field. Owns which facts are written; refuses
 * paths, queries, arguments, content and tokens: of an unknown fault only its type, its place in our code and the names of
 * wrong result fields are kept.
 */
import type { ErrorCode, GitpinError } from "../errors.ts";
import { fieldName } from "../tools/invoke.ts";

/**
 * How a request went, from best to worst: `negative` is an answer that is no `ok` (missing, blocked, contradicted), the
 * others are errors by who can mend them. A tool error that travels as HTTP 200 has its outcome all the same.
 */
export const OUTCOMES = ["ok", "negative", "caller_error", "upstream_error", "service_error"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface RequestLine {
  event: "request";
  requestId: string;
  /** Of the caller's `traceparent`, and our span in that trace; null without one. */
  traceId: string | null;
  spanId: string | null;
  /** Of this service. */
  version: string;
  method: string;
  /** The route's pattern, never the address that was asked for. */
  route: string;
  /** Dotted names of the tools that ran, comma-separated; null when none did. */
  tool: string | null;
  /** JSON-RPC method, on the MCP route. */
  rpc: string | null;
  /** `Caller.id`; null when the request was refused before the caller was known. */
  caller: string | null;
  team: string | null;
  /** Registered name, where one repository was asked for; null for none (or all) and for several. */
  repository: string | null;
  /** How many were asked for by name. */
  repositories: number;
  /** Full commit SHA, where one commit was asked for; null for none or several. */
  sha: string | null;
  commits: number;
  /** HTTP status. */
  status: number;
  outcome: Outcome;
  /** Code of our error. */
  error: ErrorCode | null;
  /** Code of the JSON-RPC error, where the protocol's answer was one. */
  rpcError: number | null;
  /** The caller left before the end of a stream. */
  abandoned: boolean;
  upstreamRequests: number;
  notModified: number;
  cacheHits: number;
  /** Bytes of the answer's body, before any compression on its way. */
  answerBytes: number;
  durationMs: number;
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
