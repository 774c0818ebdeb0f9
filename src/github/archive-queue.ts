/**
 * One archive at a time in an isolate: each takes memory (a part of the store, a held file, buffers) and processor time.
 * Those who come meanwhile wait, in order, for a bounded time; who wants the same archive then finds it in the store.
 * In a Worker the work of a request may stop without a word when its caller goes; so who works must show that it lives, and
 * whoever waits takes over from the dead. Waits on a timer of its own: nobody hangs on a request that is gone.
 */
import { GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";

export interface QueueOptions {
  clock: Clock;
  /** Without a sign of life for so long, who works counts as dead. Longer than any silence of the host. */
  deadAfterMs: number;
  /** Longest wait; default 60 seconds. */
  patienceMs?: number;
  /** Most that wait; default 16. */
  waiting?: number;
}

interface Holder {
  aliveAt: number;
  readonly done: Promise<void>;
  readonly leave: () => void;
}

export class ArchiveQueue {
  readonly #options: Required<QueueOptions>;
  #holder: Holder | null = null;
  /** When each of those who wait came. One of them may have died, so the old ones do not count. */
  readonly #waiting = new Set<{ since: number }>();

  constructor(options: QueueOptions) {
    this.#options = { patienceMs: 60_000, waiting: 16, ...options };
  }

  /** Runs the work when it is its turn. `alive` is to be called as it goes on. Throws `search_busy`. */
  async run<T>(work: (alive: () => void) => Promise<T>): Promise<T> {
    const holder = this.#holder === null ? this.#take() : await this.#turn();
    try {
      return await work(() => {
        holder.aliveAt = this.#options.clock.now();
      });
    } finally {
      if (this.#holder === holder) this.#holder = null;
      holder.leave();
    }
  }

  /** In the same breath as it was found free. */
  #take(): Holder {
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    const holder = { aliveAt: this.#options.clock.now(), done, leave };
    this.#holder = holder;
    return holder;
  }

  async #turn(): Promise<Holder> {
    const { clock, deadAfterMs, patienceMs, waiting } = this.#options;
    const since = clock.now();
    for (const one of this.#waiting) if (since - one.since >= patienceMs) this.#waiting.delete(one);
    if (this.#waiting.size >= waiting) throw busy();
    const place = { since };
    this.#waiting.add(place);
    try {
      // All who wait wake in the order of their coming, and the first of them takes it.
      for (let holder: Holder | null = this.#holder; holder !== null; holder = this.#holder) {
        const now = clock.now();
        const deadAt = holder.aliveAt + deadAfterMs;
        if (now >= deadAt) break;
        if (now - since >= patienceMs) throw busy();
        await settled(holder.done, Math.min(deadAt - now, patienceMs - (now - since)));
      }
      return this.#take();
    } finally {
      this.#waiting.delete(place);
    }
  }
}

/** Waits for the work to be done, but no longer than `ms`. */
async function settled(done: Promise<void>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([done, late]);
  clearTimeout(timer);
}

const busy = (): GitpinError =>
  new GitpinError(
    "search_busy",
    "This service is busy with the archives of other searches.",
    "Try again in a few seconds.",
    { retryAfterSeconds: 10 },
  );
