/**
 * What GitHub's answers say about its rate limits, read once for all who count. Pure: headers and time are passed in.
 * Follows GitHub's order of waiting: `retry-after`, else the reset time when nothing remains, else a minute at least, growing
 * with each refusal in a row (the growth is `buckets.ts`'s). Owns the error that a limit becomes.
 */
import { GitpinError } from "../../errors.ts";
import { RATE_RESOURCE_NAMES } from "../../schema/rate-resources.ts";

/** GitHub counts these apart. */
export const RATE_RESOURCES = RATE_RESOURCE_NAMES;
export type RateResource = (typeof RATE_RESOURCES)[number];

/** People wait for `interactive` work; `background` work leaves them the last part of a budget. */
export type Priority = "interactive" | "background";

export interface RateLimit {
  /** `primary`: the hourly budget of one resource. `secondary`: too much at once; holds for every resource. */
  kind: "primary" | "secondary";
  /** When it is over, by our clock, in milliseconds since the Unix epoch. */
  until: number;
  /** The same by GitHub's clock: the reset time that GitHub tells. */
  resetAt: number;
}

/** A bucket as an answer describes it. `reset` in seconds since the Unix epoch, by GitHub's clock. */
export interface ToldBucket {
  resource: RateResource | null;
  limit: number | null;
  remaining: number;
  reset: number;
}

/** What one answer, or its absence, says. Plain data: it crosses to the budget object. */
export interface Told {
  /** Null where the answer has no such headers (a server without limits), or there was no answer. */
  bucket: ToldBucket | null;
  /** By GitHub's clock, milliseconds since the Unix epoch, cut to seconds; null when not told. */
  date: number | null;
  /** `free`: answered 304, which costs nothing when authorised. `lost`: no answer, so nobody knows. */
  outcome: "spent" | "free" | "lost" | "primary" | "secondary";
  /** Seconds. */
  retryAfter: number | null;
}

export const LOST: Told = { bucket: null, date: null, outcome: "lost", retryAfter: null };

const LIMIT_TEXT = /rate limit exceeded|secondary rate limit|abuse detection/i;

const whole = (text: string | null): number | null =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;

function bucketOf(headers: Headers): ToldBucket | null {
  const limit = whole(headers.get("x-ratelimit-limit"));
  const remaining = whole(headers.get("x-ratelimit-remaining"));
  const reset = whole(headers.get("x-ratelimit-reset"));
  if (remaining === null || reset === null) return null;
  const named = headers.get("x-ratelimit-resource");
  return { resource: RATE_RESOURCES.find((name) => name === named) ?? null, limit, remaining, reset };
}

/** `message` is the host's, matched and never shown; it is asked for where a 403 or 429 came. */
export function readTold(status: number, headers: Headers, message: () => string, authorized: boolean): Told {
  const date = Date.parse(headers.get("date") ?? "");
  const told = {
    bucket: bucketOf(headers),
    date: Number.isFinite(date) ? date : null,
    retryAfter: whole(headers.get("retry-after")),
  };
  if (status === 304 && authorized) return { ...told, outcome: "free" };
  if (status !== 403 && status !== 429) return { ...told, outcome: "spent" };
  const spent = headers.get("x-ratelimit-remaining") === "0";
  if (told.retryAfter === null && !spent && status === 403 && !LIMIT_TEXT.test(message())) {
    return { ...told, outcome: "spent" };
  }
  return { ...told, outcome: spent ? "primary" : "secondary" };
}

const SECONDARY_WAIT_MS = 60_000;

/** How long a refusal asks to wait, where nobody counts refusals in a row; null: it is none for a limit. */
export function limitOf({ outcome, bucket, retryAfter }: Told, now: number): RateLimit | null {
  if (outcome !== "primary" && outcome !== "secondary") return null;
  const reset = outcome === "primary" && bucket !== null ? bucket.reset * 1000 - now : SECONDARY_WAIT_MS;
  const until = now + Math.max(1000, retryAfter === null ? reset : retryAfter * 1000);
  return { kind: outcome, until, resetAt: until };
}

/** `upstream_rate_limited`, with the time to come back. */
export function limitReached(limit: RateLimit, now: number): GitpinError {
  const retryAfterSeconds = Math.max(1, Math.ceil((limit.until - now) / 1000));
  return new GitpinError(
    "upstream_rate_limited",
    `GitHub's ${limit.kind} rate limit is reached.`,
    `Ask again in ${retryAfterSeconds} seconds; what is cached is still served.`,
    { kind: limit.kind, resetAt: new Date(limit.resetAt).toISOString(), retryAfterSeconds },
  );
}
