// ETags and `If-None-Match` (RFC 9110, 13.1.2), with GitHub's choice of what an ETag depends on.
// Owns: the ETag of JSON (weak; Accept, Authorization, Cookie and the body go into it) and turning a match into 304.
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "./answer.ts";

/** A token that changes voids every ETag given out before. */
export function weakEtag(headers: IncomingHttpHeaders, body: Buffer): string {
  const parts = [headers.accept, headers.authorization, headers.cookie].filter((part) => part !== undefined);
  const hash = createHash("sha256").update(parts.map((part) => `${part}:`).join(""));
  return `W/"${hash.update(body).digest("hex")}"`;
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}

export function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => opaque(tag) === opaque(etag));
}

/** Adds the ETag to an answer in full and makes it a 304 if the client holds it already. */
export function conditional(answer: Answer, headers: IncomingHttpHeaders): Answer {
  if (answer.status !== 200) return answer;
  let etag = answer.headers.etag;
  if (etag === undefined && Buffer.isBuffer(answer.body)) {
    if (answer.headers["cache-control"] === "no-cache") return answer;
    etag = weakEtag(headers, answer.body);
  }
  if (etag === undefined) return answer;
  const tagged: Answer = { ...answer, headers: { ...answer.headers, etag } };
  if (headers["if-none-match"] === undefined || !matches(headers["if-none-match"], etag)) return tagged;
  if (answer.body && !Buffer.isBuffer(answer.body)) answer.body.destroy();
  const { "content-type": _, ...kept } = tagged.headers;
  return { status: 304, headers: kept, body: null };
}
