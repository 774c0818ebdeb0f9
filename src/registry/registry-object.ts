/**
 * The Durable Object that holds the live registry, the tokens and the audit log: one for a deployment, named `registry`.
 * Nothing but the shell around `registry-store.ts`: storage, transaction and clock. Reachable from our Worker alone.
 */
import { DurableObject } from "cloudflare:workers";
import { type Operation, type Outcome, outcomeOf, type RegistryStub } from "./registry-home.ts";
import { RegistryStore } from "./registry-store.ts";

export const REGISTRY_OBJECT_NAME = "registry";

export class RegistryObject extends DurableObject implements RegistryStub {
  readonly #store: RegistryStore;

  constructor(state: DurableObjectState, environment: Cloudflare.Env) {
    super(state, environment);
    const { storage } = state;
    this.#store = new RegistryStore(storage.sql, (work) => storage.transactionSync(work), {
      now: () => Date.now(),
    });
  }

  async call(operation: Operation, args: readonly unknown[]): Promise<Outcome<unknown>> {
    const run = this.#store[operation] as (...given: readonly unknown[]) => unknown;
    return outcomeOf(() => run.apply(this.#store, [...args]));
  }
}
