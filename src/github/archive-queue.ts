/**
 * One archive at a time in an isolate: each takes memory (a part of the store, a held file, buffers) and processor time.
 * Those who come meanwhile wait for a bounded time, and have their turns repository by repository: many searches of a large
 * one, whose callers may be gone without a word, hold up a search of another by one turn, not by all of theirs.
 * In a Worker the work of a request may stop without a word when its caller goes; so who works must show that it lives, and
 * whoever waits takes over from the dead. Waits on a timer of its own: nobody hangs on a request that is gone.
 */
import { callerLeft, GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";

export interface QueueOptions {
  clock: Clock;
  /** Without a sign of life for so long, who works counts as dead. Longer than any silence of the host. */
  deadAfterMs: number;
  /** Longest wait; default 60 seconds. */
  patienceMs?: number;
  /** Most that wait; default 24. */
  waiting?: number;
  /** Most that wait for one repository, so that others find a place; default 16. */
  waitingForOne?: number;
}

/** Who wants a turn. */
export interface TurnRequest {
  /** What turns are shared out by. */
  repository: string;
  /** Ends the wait when the caller has gone. */
  signal?: AbortSignal | undefined;
}

interface Holder {
  aliveAt: number;
  readonly done: Promise<void>;
  readonly leave: () => void;
}

interface Place {
  since: number;
  repository: string;
}

/** How long the first in line has to take its free turn before the next one may: it may be dead. */
const GRACE_MS = 50;

export class ArchiveQueue {
  readonly #options: Required<QueueOptions>;
  #holder: Holder | null = null;
  /** Those who wait, in the order of their coming. One of them may have died, so the old ones do not count. */
  readonly #waiting = new Set<Place>();
  /** Number of the last turn of each repository that has one now or is waited for. */
  readonly #served = new Map<string, number>();
  #turns = 0;
  /**
   * Settled when the next turn is taken. Made by who waits for it: the runtime warns, and cancels what hangs on it, when a promise
   * is settled whose request has ended.
   */
  #taken: PromiseWithResolvers<void> | null = null;

  constructor(options: QueueOptions) {
    this.#options = { patienceMs: 60_000, waiting: 24, waitingForOne: 16, ...options };
  }

  /** Runs the work when it is its turn. `alive` is to be called as it goes on. Throws `search_busy` and `caller_left`. */
  async run<T>(request: TurnRequest, work: (alive: () => void) => Promise<T>): Promise<T> {
    const { repository } = request;
    const holder = this.#holder === null ? this.#take(repository) : await this.#turn(request);
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
  #take(repository: string): Holder {
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    const holder = { aliveAt: this.#options.clock.now(), done, leave };
    this.#holder = holder;
    this.#taken?.resolve();
    this.#taken = null;
    this.#served.set(repository, ++this.#turns);
    const wanted = new Set([...this.#waiting].map((place) => place.repository));
    for (const known of this.#served.keys()) {
      if (known !== repository && !wanted.has(known)) this.#served.delete(known);
    }
    return holder;
  }

  async #turn({ repository, signal }: TurnRequest): Promise<Holder> {
    const { clock, deadAfterMs, patienceMs } = this.#options;
    const since = clock.now();
    this.#admit(repository, since);
    const place = { since, repository };
    try {
      for (;;) {
        if (signal?.aborted) throw callerLeft();
        // Again, for one that slept through its turn was taken out.
        this.#waiting.add(place);
        const now = clock.now();
        const holder = this.#holder;
        const deadAt = (holder?.aliveAt ?? 0) + deadAfterMs;
        if (holder !== null && now < deadAt) {
          if (now - since >= patienceMs) throw busy();
          await settled(holder.done, Math.min(deadAt - now, patienceMs - (now - since)), signal);
          continue;
        }
        const first = this.#first();
        if (first === place) return this.#take(repository);
        this.#taken ??= Promise.withResolvers<void>();
        await settled(this.#taken.promise, GRACE_MS, signal);
        if (this.#holder === holder && this.#first() === first) this.#waiting.delete(first);
      }
    } finally {
      this.#waiting.delete(place);
    }
  }

  #admit(repository: string, now: number): void {
    const { patienceMs, waiting, waitingForOne } = this.#options;
    for (const one of this.#waiting) if (now - one.since >= patienceMs) this.#waiting.delete(one);
    const same = [...this.#waiting].filter((one) => one.repository === repository).length;
    if (this.#waiting.size >= waiting || same >= waitingForOne) throw busy();
  }

  /** Of the repository that had its turn longest ago, or none yet, who came first. Somebody waits. */
  #first(): Place {
    const turn = ({ repository }: Place): number => this.#served.get(repository) ?? 0;
    return [...this.#waiting].reduce((best, one) => (turn(one) < turn(best) ? one : best));
  }
}

/** Waits for what is to happen, but no longer than `ms`, nor than the caller is there. */
async function settled(done: Promise<void>, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const leave = (): void => resolve();
  signal?.addEventListener("abort", leave);
  await Promise.race([done, late]);
  signal?.removeEventListener("abort", leave);
  clearTimeout(timer);
}

const busy = (): GitpinError =>
  new GitpinError(
    "search_busy",
    "This service is busy with the archives of other searches.",
    "Try again in a few seconds.",
    { retryAfterSeconds: 10 },
  );
