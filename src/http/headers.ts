/**
 * Headers of every answer, errors included: nothing sniffed, framed, cached or referred by default, the cost of the
 * call, a fresh request id, and our span of the caller's trace. A route that sets one of them itself (a page's own policy) keeps it.
 */
import type { RegistryStatus } from "../ports/registry.ts";
import { NOT_KEPT } from "./caching.ts";
import type { Exchange } from "./exchange.ts";
import { traceparentOf } from "./trace-context.ts";

export const REQUEST_ID = "x-request-id";
export const UPSTREAM_REQUESTS = "x-gitpin-upstream-requests";
/** Only on answers made from an older registry: `stale; code=...; read-at=...`. */
export const REGISTRY_STATE = "x-gitpin-registry";

const DEFAULTS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": NOT_KEPT,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  vary: "Accept, Authorization, Origin",
};

/** All headers of the answer. As a record: one crossing into the runtime instead of one for each header. */
export function answerHeaders(
  response: Response,
  exchange: Exchange,
  registry: RegistryStatus | null = null,
): Record<string, string> {
  const { trace } = exchange.arrival;
  return {
    ...DEFAULTS,
    ...Object.fromEntries(response.headers),
    [REQUEST_ID]: exchange.requestId,
    [UPSTREAM_REQUESTS]: String(exchange.upstreamRequests),
    ...(trace === null ? {} : { traceparent: traceparentOf(trace) }),
    ...(registry === null || registry.stale === null
      ? {}
      : {
          [REGISTRY_STATE]: `stale; code=${registry.stale.code}; read-at=${registry.readAt ?? "never"}`,
        }),
  };
}
