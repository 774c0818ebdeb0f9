/**
 * JSON-RPC errors that answer a whole HTTP request, before any message of it could be served (id null).
 * The error's `data` is the report that REST callers get, so that code, field and next step are the same everywhere.
 */
import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { GitpinError } from "../errors.ts";

const codeOf = (error: GitpinError): number => {
  if (error.form.fault === "service") return ProtocolErrorCode.InternalError;
  return error.data.field === "body" ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest;
};

export function jsonRpcProblem(error: GitpinError): Response {
  const { allow } = error.data;
  return Response.json(
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: codeOf(error), message: error.message, data: error.report() },
    },
    { status: error.form.http, headers: Array.isArray(allow) ? { allow: allow.join(", ") } : {} },
  );
}
