/**
 * Bounds one search by counted work (bytes of text times cost per byte), never by a clock, which stands still inside a
 * Worker's computation. Owns when to let other requests run. The same search spends the same work everywhere.
 */

export const SEARCH_WORK = {
  /** Units of one search: 150 MB of text for an ordinary expression, far more for a literal. */
  total: 3_000_000_000,
  /** Units between two pauses. */
  untilPause: 16_000_000,
  /** Bytes between two pauses, for cheap matchers. */
  bytesUntilPause: 1_000_000,
} as const;

export class WorkBudget {
  readonly total: number;
  readonly #pause: () => Promise<void>;
  #left: number;
  #units = 0;
  #bytes = 0;

  /** `pause` lets other requests run, e.g. `scheduler.wait(0)`. */
  constructor(pause: () => Promise<void>, total: number = SEARCH_WORK.total) {
    this.total = total;
    this.#left = total;
    this.#pause = pause;
  }

  /** Units spent so far. */
  get spent(): number {
    return this.total - this.#left;
  }

  /** Takes the units; false, taking none, when so many are not left. */
  spend(units: number): boolean {
    if (units > this.#left) return false;
    this.#left -= units;
    return true;
  }

  /** Says that a stretch of so many bytes was searched; its units were spent with its file. */
  step(bytes: number, workPerByte: number): void {
    this.#units += bytes * workPerByte;
    this.#bytes += bytes;
  }

  /** Whether it is time to let other requests run. */
  get due(): boolean {
    return this.#units >= SEARCH_WORK.untilPause || this.#bytes >= SEARCH_WORK.bytesUntilPause;
  }

  async pause(): Promise<void> {
    this.#units = 0;
    this.#bytes = 0;
    await this.#pause();
  }
}
