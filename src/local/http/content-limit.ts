// GitHub's secondary limit on making content: so many writes a minute and an hour for each caller, reads left alone.
// Owns: counting and GitHub's refusal. Off unless a host asks for it. Follows docs.github.com/rest (rate limits, secondary).
import { ApiError } from "./answer.ts";
import type { Caller } from "./exchange.ts";

export interface ContentLimitSettings {
  /** Default 80. */
  perMinute?: number;
  /** Default 500. */
  perHour?: number;
}

const DOCS =
  "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** HTTP 403 whatever was asked, in GraphQL too. */
export class SecondaryLimit extends ApiError {}

export class ContentLimit {
  readonly #now: () => number;
  readonly #settings: ContentLimitSettings | undefined;
  /** When each caller wrote within the last hour, oldest first. */
  readonly #writes = new Map<string, number[]>();

  constructor(now: () => number, settings: ContentLimitSettings | undefined) {
    this.#now = now;
    this.#settings = settings;
  }

  /** Counts one write. Throws when there have been too many. */
  count({ key }: Caller): void {
    if (this.#settings === undefined) return;
    const { perMinute = 80, perHour = 500 } = this.#settings;
    const now = this.#now();
    const writes = (this.#writes.get(key) ?? []).filter((time) => time > now - HOUR);
    const lately = writes.filter((time) => time > now - MINUTE);
    this.#writes.set(key, writes);
    if (lately.length >= perMinute) throw this.#exceeded((lately[0] ?? now) + MINUTE - now);
    if (writes.length >= perHour) throw this.#exceeded((writes[0] ?? now) + HOUR - now);
    writes.push(now);
  }

  #exceeded(wait: number): SecondaryLimit {
    const message =
      "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.";
    return new SecondaryLimit(403, message, {
      documentationUrl: DOCS,
      headers: { "retry-after": String(Math.ceil(wait / 1000)) },
    });
  }
}
