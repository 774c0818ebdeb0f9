/**
 * `/readyz`: whether the service can do its work now: 200, or 503 with the part that keeps it from it. For whoever sends traffic
 * here, without a credential: one word for each part, no names, no numbers. What it asks is cached for seconds by whom it asks.
 */
import type { Background } from "../ports/background.ts";
import type { Readiness } from "../ports/readiness.ts";
import { negotiate } from "./negotiation.ts";

export const READY_PATH = "/readyz";

/** Seconds after which the answer may be another one. */
const ASK_AGAIN = 5;

export async function readiness(
  source: Readiness,
  request: Request,
  background: Background,
): Promise<Response> {
  const type = negotiate(request.headers.get("accept"), ["application/json", "text/plain"]);
  const [registry, { github, budget, checkedAt }] = await Promise.all([
    source.registry(),
    source.host(background),
  ]);
  const faults = [
    ...(registry === "unavailable" ? ["registry unavailable"] : []),
    ...(github === "ok" ? [] : [`github ${github}`]),
    ...(budget === "spent" ? ["budget spent"] : []),
  ];
  const ready = faults.length === 0;
  const init = { status: ready ? 200 : 503, headers: ready ? {} : { "retry-after": String(ASK_AGAIN) } };
  if (type === "text/plain") {
    const text = ready ? "ready\n" : `not ready: ${faults.join(", ")}\n`;
    return new Response(text, {
      ...init,
      headers: { ...init.headers, "content-type": "text/plain; charset=utf-8" },
    });
  }
  const status = ready ? "ready" : "not_ready";
  return Response.json({ status, registry, github, budget, checkedAt }, init);
}
