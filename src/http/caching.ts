/**
 * What others may keep of an answer (RFC 9111) and how they ask whether it still holds (RFC 9110, section 13.1.2).
 * An answer asked for by full SHA never changes, but who may see it can: so five minutes, and only for public repositories.
 * Everything else has the default of `headers.ts`: nobody keeps it.
 */
import { sha256 } from "../core/git/hash.ts";

export const PINNED_AND_PUBLIC = "public, max-age=300";
/** What one caller alone sees; the default of `headers.ts`. */
export const NOT_KEPT = "private, no-store";
/** Of pages and documents that only a deployment changes. */
export const UNTIL_DEPLOYMENT = "public, max-age=300";
/** Discovery documents of MCP say an hour. */
export const FOR_AN_HOUR = "public, max-age=3600";

/** Strong: equal bytes, equal tag. */
export const etagOf = (body: string): string => `"${sha256(body).slice(0, 32)}"`;

/** Whether `If-None-Match` names it; weak comparison, as the RFC has it for this header. */
function holds(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return (header.match(/(?:W\/)?"[\x21\x23-\x7e]*"/g) ?? []).some((tag) => tag.replace(/^W\//, "") === etag);
}

/** A 200 with its tag and its time, or 304 to who has it already. For GET and HEAD only. */
export function cacheable(
  request: Request,
  body: string,
  headers: Record<string, string>,
  cacheControl: string,
): Response {
  const etag = etagOf(body);
  const about = { etag, "cache-control": cacheControl };
  return holds(request.headers.get("if-none-match"), etag)
    ? new Response(null, { status: 304, headers: about })
    : new Response(body, { headers: { ...headers, ...about } });
}
