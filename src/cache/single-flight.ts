/**
 * Equal work in flight is done once: the first caller leads, the others wait for its promise.
 * In a Worker the I/O of a request dies with it. So the leader's work is kept alive in its background, and a follower
 * waits for a bounded time only, then does the work itself: nobody hangs on a request that is gone.
 */
import type { Background } from "../ports/background.ts";
import type { Key } from "./keys.ts";

/** A timer of the request that asks: settles after `ms`, unless cancelled. */
export type Delay = (ms: number) => { done: Promise<void>; cancel: () => void };

const delayed: Delay = (ms) => {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return { done, cancel: () => clearTimeout(timer) };
};

const LATE = Symbol("late");

export class SingleFlight {
  readonly #flights = new Map<string, Promise<unknown>>();
  readonly #patienceMs: number;
  readonly #delay: Delay;

  /** `patienceMs`: how long a follower waits for its leader. */
  constructor(patienceMs: number, delay: Delay = delayed) {
    this.#patienceMs = patienceMs;
    this.#delay = delay;
  }

  async run<T>(key: Key<T>, background: Background, work: () => Promise<T>): Promise<T> {
    const flight = this.#flights.get(key) as Promise<T> | undefined;
    if (flight === undefined) return this.#lead(key, background, work);
    const outcome = await this.#follow(flight);
    if (outcome !== LATE) return outcome;
    // The leader is slow or dead. The first to notice leads anew; those who notice after it follow once more.
    if (this.#flights.get(key) === flight) return this.#lead(key, background, work);
    const second = this.#flights.get(key) as Promise<T> | undefined;
    const again = second === undefined ? LATE : await this.#follow(second);
    return again === LATE ? this.#lead(key, background, work) : again;
  }

  #lead<T>(key: Key<T>, background: Background, work: () => Promise<T>): Promise<T> {
    const flight = work().finally(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    background.keepAlive(Promise.allSettled([flight]));
    return flight;
  }

  async #follow<T>(flight: Promise<T>): Promise<T | typeof LATE> {
    const timer = this.#delay(this.#patienceMs);
    try {
      return await Promise.race([flight, timer.done.then((): typeof LATE => LATE)]);
    } finally {
      timer.cancel();
    }
  }
}
