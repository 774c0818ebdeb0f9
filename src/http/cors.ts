/**
 * Which answers a web page of another origin may read (the Fetch standard's CORS protocol). Owns the rule, the preflight and
 * the headers. Whoever calls without a credential sees public repositories only, so those answers are for every page; with
 * a credential, and on every other route, only the operator's ALLOWED_ORIGINS may. Cookies are never used, so never allowed.
 */
import type { Standing } from "./guard.ts";

export interface OpenReads {
  /** False where callers without a credential see more or less than what is public, and on a loopback service. */
  allowed: boolean;
  /** Whether this address only tells what the caller may see anyway, and changes nothing. */
  isRead(pathname: string): boolean;
}

const READ_METHODS = ["GET", "HEAD", "POST"];

/** What pages may see of an answer beside its body and the safelisted headers. */
const EXPOSED =
  "etag, location, retry-after, www-authenticate, x-request-id, x-gitpin-upstream-requests, x-gitpin-registry";

export const isPreflight = (request: Request): boolean =>
  request.method === "OPTIONS" && request.headers.has("access-control-request-method");

const listed = (header: string | null): string[] =>
  (header ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");

/** Whether a page of any origin may make this request and read its answer. */
export function isOpenRead(request: Request, reads: OpenReads): boolean {
  const { headers } = request;
  if (!reads.allowed || headers.has("authorization") || !reads.isRead(new URL(request.url).pathname))
    return false;
  if (!isPreflight(request)) return READ_METHODS.includes(request.method);
  return (
    READ_METHODS.includes(headers.get("access-control-request-method") ?? "") &&
    !listed(headers.get("access-control-request-headers")).includes("authorization")
  );
}

/** Answers a preflight that the guard let through. */
export function preflightAnswer(request: Request, standing: Standing): Response {
  const ours = standing === "our-page";
  // Header names of the request itself come back only to pages that the operator trusts, and only as tokens.
  const asked = listed(request.headers.get("access-control-request-headers")).filter((name) =>
    /^[a-z0-9-]{1,64}$/.test(name),
  );
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": ours ? "GET, HEAD, POST, PUT, PATCH, DELETE" : READ_METHODS.join(", "),
      "access-control-allow-headers": ours
        ? asked.join(", ")
        : "accept, content-type, if-none-match, traceparent",
      "access-control-max-age": "600",
    },
  });
}

/**
 * Headers that let a page read the answer. Open ones say so to every caller, page or not, so that a copy in a cache serves all.
 * `cross-origin-resource-policy` keeps every other answer out of foreign pages' images and scripts too.
 */
export function corsHeaders(
  request: Request,
  standing: Standing | null,
  open: boolean,
): Record<string, string> {
  if (open) {
    return {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": EXPOSED,
      "cross-origin-resource-policy": "cross-origin",
    };
  }
  const closed = { "cross-origin-resource-policy": "same-origin" };
  const origin = request.headers.get("origin");
  if (standing !== "our-page" || origin === null) return closed;
  return { ...closed, "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED };
}
