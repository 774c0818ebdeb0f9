/**
 * Errors as HTTP answers: status from the table in `errors.ts`, body `{ "error": report }`, or text when asked for.
 * Owns `Allow`, `Retry-After` and `WWW-Authenticate`. Refuses to show anything beyond `GitpinError.report()`.
 */
import type { GitpinError } from "../errors.ts";
import { prefer } from "./negotiation.ts";

/** What a shell user sees: what went wrong, and what to do. */
const problemText = (error: GitpinError): string =>
  `error: ${error.code}: ${error.message}\nnext: ${error.nextStep}\n`;

/** RFC 6750, section 3: what was wrong with the credential, unless there was none. */
function challengeOf({ code, form, data }: GitpinError): string | null {
  const realm = 'Bearer realm="gitpin"';
  if (form.http === 401) return data.reason === "absent" ? realm : `${realm}, error="invalid_token"`;
  if (code !== "forbidden" || typeof data.scope !== "string") return null;
  return `${realm}, error="insufficient_scope", scope="${data.scope}"`;
}

function problemHeaders(error: GitpinError): Record<string, string> {
  const { allow, retryAfterSeconds } = error.data;
  const headers: Record<string, string> = {};
  if (error.code === "method_not_allowed" && Array.isArray(allow)) headers.allow = allow.join(", ");
  const challenge = challengeOf(error);
  if (challenge !== null) headers["www-authenticate"] = challenge;
  if (typeof retryAfterSeconds === "number" && [429, 503].includes(error.form.http)) {
    headers["retry-after"] = String(Math.max(0, Math.ceil(retryAfterSeconds)));
  }
  return headers;
}

/** `accept` is the caller's header; an error is JSON unless text is preferred, and never a 406 of its own. */
export function problemResponse(error: GitpinError, accept: string | null): Response {
  const type = prefer(accept, ["application/json", "text/plain"]) ?? "application/json";
  const headers = problemHeaders(error);
  if (type === "text/plain") {
    return new Response(problemText(error), {
      status: error.form.http,
      headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
    });
  }
  return new Response(`${JSON.stringify({ error: error.report() })}\n`, {
    status: error.form.http,
    headers: { ...headers, "content-type": "application/json" },
  });
}
