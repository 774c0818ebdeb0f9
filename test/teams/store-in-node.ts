/**
 * The registry store over Node's SQLite, for tests of its decisions at chosen times. The same SQL as in the object, by the same
 * engine; storage, RPC and isolation of the object itself are tested in workerd (`registry-edits.test.ts`).
 */
import { DatabaseSync } from "node:sqlite";
import { outcomeOf, type RegistryHome, registryHome } from "../../src/registry/registry-home.ts";
import { RegistryStore } from "../../src/registry/registry-store.ts";

export interface StoreInNode {
  store: RegistryStore;
  database: DatabaseSync;
  /** As the Worker reaches it: arguments and answers are cloned, errors travel as data. */
  home: RegistryHome;
  clock: { ms: number; now(): number };
  /** While set, the object cannot be reached. */
  failing: { on: boolean };
  /** How often it was asked. */
  asked: () => number;
}

export function storeInNode(): StoreInNode {
  const database = new DatabaseSync(":memory:");
  const clock = {
    ms: Date.UTC(2026, 5, 1),
    now(): number {
      return this.ms;
    },
  };
  const store = new RegistryStore(
    {
      exec<T>(query: string, ...bindings: (string | number | null)[]) {
        const found = database.prepare(query).all(...bindings) as T[];
        return { toArray: () => found };
      },
    },
    (work) => {
      database.exec("BEGIN");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (thrown) {
        database.exec("ROLLBACK");
        throw thrown;
      }
    },
    clock,
  );
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
