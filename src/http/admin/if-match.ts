/**
 * `If-Match` (RFC 9110, section 13.1.1) of a change: which states of the registry the change was made on.
 * Stricter than the RFC in one point: `*` would mean "whatever stands there" and is refused, for nothing is overwritten unread.
 */
import { GitpinError } from "../../errors.ts";

/** The strong ETags named. Throws `precondition_required` without any; a weak one never matches. */
export function ifMatchOf(request: Request): string[] {
  const header = request.headers.get("if-match");
  const tags = header?.match(/(?:W\/)?"[\x21\x23-\x7e]*"/g) ?? [];
  if (tags.length > 0) return tags.filter((tag) => !tag.startsWith("W/"));
  throw new GitpinError(
    "precondition_required",
    "A change of the registry says which state it was made on.",
    "GET /v1/registry, and send its ETag as If-Match.",
    { header: "If-Match" },
  );
}
