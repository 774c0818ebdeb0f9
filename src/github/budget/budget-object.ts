/**
 * The Durable Object that counts one holder's requests to GitHub and keeps what was learnt with them; the one named after the
 * App also looks up installations and mints tokens. Nothing but the shell around `budget-store.ts` and `app-tokens.ts`.
 * Reachable from our Worker alone.
 */
import { DurableObject } from "cloudflare:workers";
import type { Background } from "../../ports/background.ts";
import { AppTokens, type AppTokensOptions } from "../credentials/app-tokens.ts";
import type { Access } from "../credentials/credentials.ts";
import { LocalBudget } from "./budget.ts";
import { BudgetStore } from "./budget-store.ts";
import { type Outcome, outcomeOf } from "./crossing.ts";

/** What minting needs beside the object itself; null where the service is no App. */
export type AppSettings = Omit<AppTokensOptions, "budget" | "facts" | "clock">;

/** The operations of the object beside those of `BudgetStore`. */
export interface AppOperations {
  installation(address: string): Promise<{ value: number; requests: number }>;
  token(
    installation: number,
    refused: string | null,
    access: Access,
  ): Promise<{ value: string; requests: number }>;
  forgetInstallations(): void;
}

/** The class to export from the Worker. */
export function budgetObject(app: AppSettings | null) {
  return class BudgetObject extends DurableObject {
    readonly #store: BudgetStore;
    readonly #operations: AppOperations | null;

    constructor(state: DurableObjectState, environment: Cloudflare.Env) {
      super(state, environment);
      const clock = { now: () => Date.now() };
      const store = new BudgetStore(state.storage.sql, clock);
      this.#store = store;
      const background: Background = { keepAlive: (work) => state.waitUntil(work) };
      const tokens =
        app === null
          ? null
          : new AppTokens({
              ...app,
              clock,
              budget: new LocalBudget(clock),
              facts: {
                recall: async (key) => store.recall(key),
                remember: async (key, value) => store.remember(key, value),
              },
            });
      this.#operations =
        tokens === null
          ? null
          : {
              installation: (address) => tokens.installation(address, background),
              token: (installation, refused, access) =>
                tokens.token(installation, refused, access, background),
              forgetInstallations: () => tokens.forgetInstallations(),
            };
    }

    async call(operation: string, args: readonly unknown[]): Promise<Outcome> {
      const operations = { ...this.#operations, ...storeOperations(this.#store) };
      const run = operations[operation as keyof typeof operations] as
        | ((...given: readonly unknown[]) => unknown)
        | undefined;
      return outcomeOf(() => {
        if (run === undefined) throw new TypeError(`no operation ${operation}`);
        return run(...args);
      });
    }
  };
}

const storeOperations = (store: BudgetStore) => ({
  reserve: store.reserve.bind(store),
  settle: store.settle.bind(store),
  view: store.view.bind(store),
  recall: store.recall.bind(store),
  remember: store.remember.bind(store),
  forget: store.forget.bind(store),
});
