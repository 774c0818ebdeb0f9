/**
 * The Durable Object that holds the news of a deployment: one, named `news`. Nothing but the shell around `news-store.ts`:
 * storage, transaction and clock. Reachable from our Worker alone.
 */
import { DurableObject } from "cloudflare:workers";
import { type Outcome, outcomeOf } from "../budget/crossing.ts";
import { NewsStore } from "./news-store.ts";

type Operation = "taken" | "take" | "since" | "position";

export class NewsObject extends DurableObject {
  readonly #store: NewsStore;

  constructor(state: DurableObjectState, environment: Cloudflare.Env) {
    super(state, environment);
    const { storage } = state;
    this.#store = new NewsStore(storage.sql, (work) => storage.transactionSync(work), {
      now: () => Date.now(),
    });
  }

  async call(operation: Operation, args: readonly unknown[]): Promise<Outcome> {
    const run = this.#store[operation] as (...given: readonly unknown[]) => unknown;
    return outcomeOf(() => run.apply(this.#store, [...args]));
  }
}
