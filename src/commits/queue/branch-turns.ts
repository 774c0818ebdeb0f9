/**
 * Whose turn it is on one branch: in order of arrival, one at a time. Pure but for the timer that is handed in.
 * It is held in memory, because it decides nothing: a ref only moves from where a commit was planned on, so two that commit at
 * once cost work and no more. Therefore a turn always ends, whatever became of its holder.
 *
 * A turn that is given out must be taken up soon (`confirm`), else it passes on: its waiter may have left without a word. One
 * that is taken up ends by `release` or with its lease. Turns of before a restart are unknown here, and ending them does nothing.
 */
import type { Timer } from "../../ports/timer.ts";

export const TURN_LIMITS = {
  /** Longest wait for a turn: most callers give a call a minute, and shall hear what became of it. */
  waitMs: 50_000,
  /** For this long a turn that was given out may be taken up. */
  confirmMs: 1_000,
  /** Longest turn. */
  leaseMs: 60_000,
  /** Most who wait at a time. */
  waiting: 500,
} as const;

interface Waiter {
  give(turn: string | null): void;
  /** Stops the clock of its wait. */
  stop(): void;
}

export class BranchTurns {
  readonly #epoch: string;
  readonly #timer: Timer;
  readonly #waiting: Waiter[] = [];
  #holder: { turn: string; stop: () => void } | null = null;
  #given = 0;

  /** `epoch`: unlike that of any queue of this branch before. */
  constructor(epoch: string, timer: Timer) {
    this.#epoch = epoch;
    this.#timer = timer;
  }

  /** A turn, when it comes; null when it did not come in time, or too many wait. */
  take(): Promise<string | null> {
    if (this.#holder === null) return Promise.resolve(this.#give());
    if (this.#waiting.length >= TURN_LIMITS.waiting) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const waiter: Waiter = {
      give: resolve,
      stop: this.#timer.after(TURN_LIMITS.waitMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        resolve(null);
      }),
    };
    this.#waiting.push(waiter);
    return promise;
  }

  /** The holder is there: the turn is its own until released, or for the lease. */
  confirm(turn: string): void {
    if (this.#holder?.turn !== turn) return;
    this.#holder.stop();
    this.#hold(turn, TURN_LIMITS.leaseMs);
  }

  /** Ends a turn; nothing where it has ended. */
  release(turn: string): void {
    if (this.#holder?.turn !== turn) return;
    this.#holder.stop();
    this.#holder = null;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    next.stop();
    next.give(this.#give());
  }

  /** Nobody holds a turn, and so nobody waits. */
  get idle(): boolean {
    return this.#holder === null;
  }

  #give(): string {
    this.#given += 1;
    const turn = `${this.#epoch}:${this.#given}`;
    this.#hold(turn, TURN_LIMITS.confirmMs);
    return turn;
  }

  #hold(turn: string, milliseconds: number): void {
    this.#holder = { turn, stop: this.#timer.after(milliseconds, () => this.release(turn)) };
  }
}
