// Primary rate limits: one bucket for each caller and resource, renewed when its window ends.
// Owns: counting, the `x-ratelimit-*` headers and GitHub's texts for "exceeded". Time comes from the host's clock.
import { ApiError } from "./answer.ts";
import type { Caller, Resource } from "./exchange.ts";

export interface RateLimitSettings {
  limit: number;
  /** What is left of the first window; default all. */
  remaining?: number;
  /** Length of a window; default 3600. */
  resetSeconds?: number;
  /** GitHub documents both; default 403. */
  status?: 403 | 429;
}

export interface Bucket {
  limit: number;
  used: number;
  remaining: number;
  /** Seconds since the epoch. */
  reset: number;
}

const DOCS = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api";
// As an enterprise account's: a person who tries the product out should not meet the limit.
const DEFAULT_CORE: RateLimitSettings = { limit: 15_000 };
const OTHERS: Record<Exclude<Resource, "core">, RateLimitSettings> = {
  search: { limit: 30, resetSeconds: 60 },
  code_search: { limit: 10, resetSeconds: 60 },
  graphql: { limit: 5_000 },
};

export class PrimaryLimit extends ApiError {}

export class RateLimits {
  readonly #now: () => number;
  #core: RateLimitSettings;
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number, core: RateLimitSettings = DEFAULT_CORE) {
    this.#now = now;
    this.#core = core;
  }

  /** Changes the core limit and starts every bucket anew. */
  set(core: RateLimitSettings): void {
    this.#core = core;
    this.#buckets.clear();
  }

  bucket(caller: Caller, resource: Resource): Bucket {
    const key = `${resource} ${caller.key}`;
    const settings = resource === "core" ? this.#core : OTHERS[resource];
    const now = this.#now() / 1000;
    const known = this.#buckets.get(key);
    if (known && now < known.reset) return known;
    const remaining = known ? settings.limit : (settings.remaining ?? settings.limit);
    const fresh: Bucket = {
      limit: settings.limit,
      remaining,
      used: settings.limit - remaining,
      reset: Math.ceil(now + (settings.resetSeconds ?? 3600)),
    };
    this.#buckets.set(key, fresh);
    return fresh;
  }

  /** Counts one request; the function it gives back takes that back (a 304 costs nothing). Throws when none is left. */
  spend(caller: Caller, resource: Resource, requestId: string): () => void {
    const bucket = this.bucket(caller, resource);
    if (bucket.remaining <= 0) throw this.exceeded(caller, requestId);
    bucket.remaining -= 1;
    bucket.used += 1;
    return () => {
      bucket.remaining += 1;
      bucket.used -= 1;
    };
  }

  exceeded(caller: Caller, requestId: string, status = this.#core.status ?? 403): PrimaryLimit {
    const stamp = `${new Date(this.#now()).toISOString().slice(0, 19).replace("T", " ")} UTC`;
    const message = caller.token
      ? `API rate limit exceeded for user ID 1. If you reach out to GitHub Support for help, please include the request ID ${requestId} and timestamp ${stamp}.`
      : `API rate limit exceeded for ${caller.key}. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)`;
    return new PrimaryLimit(status, message, { documentationUrl: DOCS });
  }
}

export function rateLimitHeaders(bucket: Bucket, resource: Resource): Record<string, string> {
  return {
    "x-ratelimit-limit": String(bucket.limit),
    "x-ratelimit-remaining": String(bucket.remaining),
    "x-ratelimit-reset": String(bucket.reset),
    "x-ratelimit-used": String(bucket.used),
    "x-ratelimit-resource": resource,
  };
}
