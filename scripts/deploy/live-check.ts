/**
 * Whether what answers at an address is the version that was just deployed, and ready. Asks again while the deployment spreads,
 * for a bounded time; the clock and the waiting are handed in.
 */
import * as z from "zod";

export interface LiveCheckOptions {
  fetch: typeof fetch;
  version: string;
  /** Waits between two questions. */
  pause(): Promise<void>;
  /** Questions at most. */
  tries: number;
}

export type LiveCheck =
  | { status: "ready" }
  /** It runs, and something it needs is not there: `/readyz` says what. */
  | { status: "not_ready"; reason: string }
  | { status: "not_live"; reason: string };

const health = z.object({ version: z.string() });

/** What keeps the version from being live; null when it is. */
async function missing(url: string, { fetch, version }: LiveCheckOptions): Promise<string | null> {
  const { signal } = { signal: AbortSignal.timeout(10_000) };
  try {
    const response = await fetch(`${url}/healthz`, { signal, headers: { accept: "application/json" } });
    if (!response.ok) return `/healthz answers ${response.status}`;
    const told = health.safeParse(await response.json());
    if (!told.success) return "/healthz is not that of this service";
    return told.data.version === version ? null : `version ${told.data.version} answers`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : "it cannot be reached";
  }
}

export async function checkLive(url: string, options: LiveCheckOptions): Promise<LiveCheck> {
  let reason = await missing(url, options);
  for (let tried = 1; reason !== null && tried < options.tries; tried++) {
    await options.pause();
    reason = await missing(url, options);
  }
  if (reason !== null) return { status: "not_live", reason };
  const response = await options.fetch(`${url}/readyz`, { headers: { accept: "text/plain" } });
  const text = (await response.text()).trim();
  return response.ok ? { status: "ready" } : { status: "not_ready", reason: text };
}
