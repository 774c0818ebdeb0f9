/**
 * The count of one credential's budget at GitHub: every request is reserved before it is sent and settled when it is answered.
 * Never grants what would go past a limit that GitHub has told of, whatever is under way and in whatever order answers come.
 * Pure and synchronous; time is passed in. GitHub's times are read by GitHub's clock, which answers tell (`date`).
 */
import { creationAnswered, creationBegun, nextCreation } from "./creations.ts";
import { type Priority, RATE_RESOURCES, type RateLimit, type RateResource, type Told } from "./limits.ts";

/** The right to send one request. Plain data. */
export interface Permit {
  /** Names the count it belongs to: one that was started anew knows nothing of older permits. */
  epoch: string;
  id: number;
  resource: RateResource;
  /** Others under way when it was granted. */
  beside: number;
  /** When it was granted, for one that creates content; left out for others. */
  creates?: number;
}

interface Bucket {
  limit: number | null;
  /** What may still be sent, under way already taken off; null: not known. */
  available: number | null;
  /** End of the window, seconds by GitHub's clock; null: over, or not known. */
  reset: number | null;
}

/** What outlives a restart of whoever counts. */
export interface BucketsState {
  buckets: Partial<Record<RateResource, Bucket>>;
  /** No request before this time, by our clock. */
  blockedUntil: number;
  /** Secondary limits in a row without a time to wait. */
  strikes: number;
  /** GitHub's clock less ours, milliseconds. */
  skewMs: number;
  /** When content was created within the last hour, by our clock. */
  creations: readonly number[];
}

export interface BucketView {
  resource: RateResource;
  limit: number;
  remaining: number;
  /** Null: the window is over, nothing was asked since. */
  resetAt: number | null;
}

export interface BudgetView {
  buckets: BucketView[];
  underWay: number;
  /** Null: no secondary limit holds. Milliseconds since the Unix epoch. */
  blockedUntil: number | null;
  skewMs: number;
}

/** While nothing is known of a bucket: as many as the smallest limit that GitHub has (60 an hour without a credential), with a margin. */
const BLIND_AT_MOST = 50;
/** The part of a limit that background work leaves to people. */
const KEPT_FOR_PEOPLE = 0.2;
/** A request that was never settled is given up after this long, and counts as sent. */
const FORGOTTEN_MS = 120_000;
const SECONDARY_WAIT_MS = 60_000;
const SECONDARY_WAIT_AT_MOST_MS = 3_600_000;
/** Reset times of one window differ by a second from answer to answer. */
const SAME_WINDOW_SECONDS = 2;

const FRESH: BucketsState = { buckets: {}, blockedUntil: 0, strikes: 0, skewMs: 0, creations: [] };

export class Buckets {
  readonly #epoch: string;
  readonly #state: BucketsState;
  /** Under way: permit to the time it was granted. */
  readonly #underWay = new Map<number, { resource: RateResource; at: number }>();
  #granted = 0;

  /** `epoch`: unlike that of any count before. */
  constructor(epoch: string, state: Partial<BucketsState> = FRESH) {
    this.#epoch = epoch;
    this.#state = { ...FRESH, ...state, buckets: { ...state.buckets } };
  }

  get state(): BucketsState {
    return this.#state;
  }

  /** The right to send one request now, or the limit that forbids it. */
  reserve(resource: RateResource, priority: Priority, now: number, creates = false): Permit | RateLimit {
    const { blockedUntil, skewMs } = this.#state;
    if (blockedUntil > now) {
      return { kind: "secondary", until: blockedUntil, resetAt: blockedUntil + skewMs };
    }
    const open = creates ? nextCreation(this.#state.creations, now) : null;
    if (open !== null) return { kind: "secondary", until: open, resetAt: open + skewMs };
    this.#forget(now);
    const bucket = this.#bucket(resource, now);
    const beside = this.#besides(resource);
    if (bucket.available === null) {
      if (beside >= BLIND_AT_MOST) return this.#shortly(now);
    } else {
      const kept = priority === "background" ? Math.ceil((bucket.limit ?? 0) * KEPT_FOR_PEOPLE) : 0;
      if (bucket.available <= kept) return this.#spent(bucket, now);
      bucket.available -= 1;
    }
    this.#granted += 1;
    this.#underWay.set(this.#granted, { resource, at: now });
    const permit = { epoch: this.#epoch, id: this.#granted, resource, beside };
    if (!creates) return permit;
    this.#state.creations = creationBegun(this.#state.creations, now);
    return { ...permit, creates: now };
  }

  /** What became of a permit. Gives the limit that the answer told of, if it did. */
  settle(permit: Permit, told: Told, now: number): RateLimit | null {
    const ours = permit.epoch === this.#epoch && this.#underWay.delete(permit.id);
    // How many of the others GitHub may have counted after it wrote this answer, and how many of them before.
    const overlapped = ours ? permit.beside + (this.#granted - permit.id) : Number.POSITIVE_INFINITY;
    this.#adoptClock(told, now);
    if (permit.creates !== undefined) {
      this.#state.creations = creationAnswered(this.#state.creations, permit.creates, now);
    }
    const bucket = this.#bucket(permit.resource, now);
    if (ours && told.outcome === "free" && bucket.available !== null) bucket.available += 1;
    this.#adoptBucket(permit.resource, told, overlapped, now);
    if (told.outcome === "primary")
      return this.#exhausted(told.bucket?.resource ?? permit.resource, told, now);
    if (told.outcome === "secondary") return this.#block(told, now);
    if (told.outcome !== "lost" && this.#state.blockedUntil <= now) this.#state.strikes = 0;
    return null;
  }

  view(now: number): BudgetView {
    this.#forget(now);
    const { blockedUntil, skewMs } = this.#state;
    return {
      buckets: RATE_RESOURCES.flatMap((resource) => {
        const { limit, available, reset } = this.#bucket(resource, now);
        if (limit === null || available === null) return [];
        return [{ resource, limit, remaining: available, resetAt: reset === null ? null : reset * 1000 }];
      }),
      underWay: this.#underWay.size,
      blockedUntil: blockedUntil > now ? blockedUntil : null,
      skewMs,
    };
  }

  /** The bucket as it stands now: a window that is over is full again. */
  #bucket(resource: RateResource, now: number): Bucket {
    const bucket = this.#state.buckets[resource] ?? { limit: null, available: null, reset: null };
    this.#state.buckets[resource] = bucket;
    if (bucket.reset !== null && now + this.#state.skewMs >= bucket.reset * 1000) {
      bucket.reset = null;
      bucket.available = bucket.limit === null ? null : Math.max(0, bucket.limit - this.#besides(resource));
    }
    return bucket;
  }

  #besides(resource: RateResource): number {
    let count = 0;
    for (const one of this.#underWay.values()) if (one.resource === resource) count += 1;
    return count;
  }

  #forget(now: number): void {
    for (const [id, { at }] of this.#underWay) {
      if (now - at > FORGOTTEN_MS) this.#underWay.delete(id);
    }
  }

  /**
   * Dates are cut to seconds and a moment old. What such a date may be when both clocks agree is no difference; any other is.
   */
  #adoptClock({ date }: Told, now: number): void {
    if (date === null) return;
    const behind = now - date;
    this.#state.skewMs = behind >= 0 && behind < 1500 ? 0 : -behind;
  }

  #adoptBucket(asked: RateResource, { bucket: told }: Told, overlapped: number, now: number): void {
    // An answer of a window that is over says nothing of the present one.
    if (told === null || told.reset * 1000 <= now + this.#state.skewMs) return;
    const resource = told.resource ?? asked;
    const bucket = this.#state.buckets[resource] ?? { limit: null, available: null, reset: null };
    this.#state.buckets[resource] = bucket;
    const underWay = this.#besides(resource);
    const atMost = Math.max(0, told.remaining - underWay);
    if (bucket.reset !== null && told.reset < bucket.reset - SAME_WINDOW_SECONDS) return;
    const newWindow = bucket.reset === null || told.reset > bucket.reset + SAME_WINDOW_SECONDS;
    bucket.limit = told.limit ?? bucket.limit;
    bucket.reset = newWindow ? told.reset : Math.max(told.reset, bucket.reset ?? 0);
    if (bucket.available === null || newWindow) {
      bucket.available = atMost;
      return;
    }
    // Within what the answer leaves open, our own count holds: answers overtake each other.
    const atLeast = Math.min(atMost, Math.max(0, told.remaining - overlapped));
    bucket.available = Math.min(atMost, Math.max(atLeast, bucket.available));
  }

  #spent({ reset }: Bucket, now: number): RateLimit {
    if (reset === null) return this.#shortly(now);
    const until = Math.max(reset * 1000 - this.#state.skewMs, now + 1000);
    return { kind: "primary", until, resetAt: reset * 1000 };
  }

  #shortly(now: number): RateLimit {
    return { kind: "primary", until: now + 1000, resetAt: now + 1000 + this.#state.skewMs };
  }

  #exhausted(resource: RateResource, told: Told, now: number): RateLimit {
    const bucket = this.#bucket(resource, now);
    const hostNow = now + this.#state.skewMs;
    const unknownUntil = hostNow + (told.bucket === null ? SECONDARY_WAIT_MS : 1000);
    const over =
      told.retryAfter === null
        ? Math.max((told.bucket?.reset ?? 0) * 1000, unknownUntil)
        : hostNow + told.retryAfter * 1000;
    bucket.available = 0;
    bucket.reset = over / 1000;
    return this.#spent(bucket, now);
  }

  #block(told: Told, now: number): RateLimit {
    const state = this.#state;
    let waitMs = (told.retryAfter ?? 0) * 1000;
    if (told.retryAfter === null) {
      // What was under way when the limit struck is refused as well, and is no further sign.
      if (state.blockedUntil <= now) state.strikes += 1;
      waitMs = Math.min(SECONDARY_WAIT_MS * 2 ** (state.strikes - 1), SECONDARY_WAIT_AT_MOST_MS);
    }
    state.blockedUntil = Math.max(state.blockedUntil, now + waitMs);
    return { kind: "secondary", until: state.blockedUntil, resetAt: state.blockedUntil + state.skewMs };
  }
}
