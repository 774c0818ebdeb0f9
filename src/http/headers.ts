/**
 * Headers of every answer, errors included: nothing sniffed, framed, cached or referred by default, the cost of the
 * call, a fresh request id, and our span of the caller's trace. A route that sets one of them itself (a page's own policy) keeps it.
 */
import type { RegistryStatus } from "../ports/registry.ts";
import type { Exchange } from "./exchange.ts";
import { traceparentOf } from "./trace-context.ts";

export const REQUEST_ID = "x-request-id";
export const UPSTREAM_REQUESTS = "x-gitpin-upstream-requests";
/** Only on answers made from an older registry: `stale; code=...; read-at=...`. */
export const REGISTRY_STATE = "x-gitpin-registry";

const DEFAULTS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "private, no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  vary: "Accept, Authorization, Origin",
};

/** A copy of the answer that carries them. */
export function withHeaders(
  response: Response,
  exchange: Exchange,
  registry: RegistryStatus | null = null,
): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(DEFAULTS)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.set(REQUEST_ID, exchange.requestId);
  headers.set(UPSTREAM_REQUESTS, String(exchange.upstreamRequests));
  const { trace } = exchange.arrival;
  if (trace !== null) headers.set("traceparent", traceparentOf(trace));
  if (registry !== null && registry.stale !== null) {
    headers.set(REGISTRY_STATE, `stale; code=${registry.stale.code}; read-at=${registry.readAt ?? "never"}`);
  }
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
