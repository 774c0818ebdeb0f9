/**
 * The registry store over Node's SQLite, for tests of its decisions at chosen times. The same SQL as in the object, by the same
 * engine; storage, RPC and isolation of the object itself are tested in workerd (`registry-edits.test.ts`).
 */
import type { DatabaseSync } from "node:sqlite";
import { outcomeOf, type RegistryHome, registryHome } from "../../src/registry/registry-home.ts";
import { RegistryStore } from "../../src/registry/registry-store.ts";
import { settableClock, sqliteInNode } from "../support/sqlite-in-node.ts";

export interface StoreInNode {
  store: RegistryStore;
  database: DatabaseSync;
  /** As the Worker reaches it: arguments and answers are cloned, errors travel as data. */
  home: RegistryHome;
  clock: ReturnType<typeof settableClock>;
  /** While set, the object cannot be reached. */
  failing: { on: boolean };
  /** How often it was asked. */
  asked: () => number;
}

export function storeInNode(): StoreInNode {
  const { database, sql, transaction } = sqliteInNode();
  const clock = settableClock();
  const store = new RegistryStore(sql, transaction, clock);
  const failing = { on: false };
  let count = 0;
  const home = registryHome(() => ({
    async call(operation, args) {
      count++;
      if (failing.on) throw new Error("Durable Object is overloaded");
      const run = store[operation] as (...given: readonly unknown[]) => unknown;
      return structuredClone(outcomeOf(() => run.apply(store, structuredClone([...args]))));
    },
  }));
  return { store, database, home, clock, failing, asked: () => count };
}
