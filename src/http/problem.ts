/**
 * Errors as HTTP answers: problem details (RFC 9457) with the report that every transport gives as the member `error`, whose
 * `code` is the stable name to test for; `type` is where this service explains it. Text or a page when those are preferred.
 * Owns `Allow`, `Retry-After` and `WWW-Authenticate`. Refuses to show anything beyond `GitpinError.report()`.
 */

import { printable } from "../core/printable.ts";
import type { ErrorCode, ErrorReport, GitpinError } from "../errors.ts";
import { prefer } from "./negotiation.ts";
import { problemPage } from "./pages/problem-page.ts";

export const PROBLEM_TYPE = "application/problem+json";

export interface ProblemDetails {
  /** Anchor of the code in this service's own documentation. */
  type: string;
  /** The same for every occurrence of the code. */
  title: string;
  status: number;
  detail: string;
  /** `urn:uuid:` and the request id, which is in the log too. */
  instance: string;
  error: ErrorReport;
}

export interface ProblemContext {
  /** The caller's `Accept` header. */
  accept: string | null;
  requestId: string;
  publicUrl: string;
}

/** `sha_not_resolved`: "SHA not resolved". */
export function problemTitle(code: ErrorCode): string {
  const words = code.replaceAll("_", " ").replace(/\bsha\b/, "SHA");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const problemAnchor = (code: ErrorCode): string => `error-${code}`;

export const problemDetails = (
  error: GitpinError,
  { requestId, publicUrl }: ProblemContext,
): ProblemDetails => ({
  type: `${publicUrl}/docs#${problemAnchor(error.code)}`,
  title: problemTitle(error.code),
  status: error.form.http,
  detail: error.message,
  instance: `urn:uuid:${requestId}`,
  error: error.report(),
});

/** What a shell user sees: what went wrong, and what to do. */
const problemText = (error: GitpinError): string =>
  `error: ${error.code}: ${printable(error.message)}\nnext: ${printable(error.nextStep)}\n`;

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

/** A caller that takes JSON gets the problem in JSON; an error is never a 406 of its own. */
export function problemResponse(error: GitpinError, context: ProblemContext): Response {
  const details = problemDetails(error, context);
  const status = details.status;
  const headers = problemHeaders(error);
  switch (
    prefer(context.accept, [PROBLEM_TYPE, "application/json", "text/plain", "text/markdown", "text/html"])
  ) {
    case "text/plain":
    case "text/markdown":
      headers["content-type"] = "text/plain; charset=utf-8";
      return new Response(problemText(error), { status, headers });
    case "text/html":
      return problemPage(details, headers);
    default:
      headers["content-type"] = PROBLEM_TYPE;
      return new Response(`${JSON.stringify(details)}\n`, { status, headers });
  }
}
