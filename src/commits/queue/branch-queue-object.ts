/**
 * The Durable Object that gives out the turns of one branch, named by repository id and branch. Nothing but the shell around
 * `branch-turns.ts`; it stores nothing. Reachable from our Worker alone.
 */
import { DurableObject } from "cloudflare:workers";
import { BranchTurns } from "./branch-turns.ts";
import type { Turns } from "./commit-queue.ts";

export class BranchQueueObject extends DurableObject implements Turns {
  readonly #turns = new BranchTurns(crypto.randomUUID(), {
    after(milliseconds, work) {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
  });

  take(): Promise<string | null> {
    return this.#turns.take();
  }

  async confirm(turn: string): Promise<void> {
    this.#turns.confirm(turn);
  }

  async release(turn: string): Promise<void> {
    this.#turns.release(turn);
  }
}
