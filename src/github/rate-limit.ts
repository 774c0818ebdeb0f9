/**
 * GitHub's rate limits: how a refusal is recognised, and a gate that stays shut until the limit is over.
 * Follows GitHub's order of waiting: `retry-after`, else the reset time when nothing remains, else a minute at least.
 * Refuses to wait: a limited call fails at once with the time to come back. Asking on while limited can get a client banned.
 */
import { GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";

/** GitHub counts these apart. */
export type RateResource = "core" | "search" | "code_search";

export interface RateLimit {
  /** `primary`: the hourly budget of one resource. `secondary`: too much at once; holds for every resource. */
  kind: "primary" | "secondary";
  /** Milliseconds since the Unix epoch. */
  until: number;
}

type Headers = Readonly<Record<string, string | undefined>>;

const LIMIT_TEXT = /rate limit exceeded|secondary rate limit|abuse detection/i;
const SECONDARY_WAIT_MS = 60_000;

const seconds = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;

/** Null when a 403 or 429 is not about a limit. `message` is the host's, matched and never shown. */
export function rateLimitOf(
  status: number,
  headers: Headers,
  message: string,
  now: number,
): RateLimit | null {
  if (status !== 403 && status !== 429) return null;
  const retryAfter = seconds(headers["retry-after"]);
  const reset = seconds(headers["x-ratelimit-reset"]);
  const spent = headers["x-ratelimit-remaining"] === "0";
  if (retryAfter === null && !spent && status === 403 && !LIMIT_TEXT.test(message)) return null;
  const kind = spent ? "primary" : "secondary";
  if (retryAfter !== null) return { kind, until: now + retryAfter * 1000 };
  if (spent && reset !== null) return { kind, until: Math.max(reset * 1000, now + 1000) };
  return { kind, until: now + SECONDARY_WAIT_MS };
}

function refusal(limit: RateLimit, now: number): GitpinError {
  const retryAfterSeconds = Math.max(1, Math.ceil((limit.until - now) / 1000));
  return new GitpinError(
    "upstream_rate_limited",
    `GitHub's ${limit.kind} rate limit is reached.`,
    `Ask again in ${retryAfterSeconds} seconds; what is cached is still served.`,
    { kind: limit.kind, resetAt: new Date(limit.until).toISOString(), retryAfterSeconds },
  );
}

/** One per credential. */
export class RateGate {
  readonly #clock: Clock;
  readonly #limits = new Map<RateResource | "all", RateLimit>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `upstream_rate_limited` while a limit holds, without a request. */
  pass(resource: RateResource): void {
    const now = this.#clock.now();
    for (const name of [resource, "all"] as const) {
      const limit = this.#limits.get(name);
      if (limit === undefined) continue;
      if (limit.until > now) throw refusal(limit, now);
      this.#limits.delete(name);
    }
  }

  /** Remembers a limit; returns the error to throw. */
  shut(resource: RateResource, limit: RateLimit): GitpinError {
    this.#limits.set(limit.kind === "secondary" ? "all" : resource, limit);
    return refusal(limit, this.#clock.now());
  }
}
