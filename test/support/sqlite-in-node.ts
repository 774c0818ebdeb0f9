/**
 * SQLite as a Durable Object has it, by Node's own: the same engine and SQL, for tests of a store's decisions at chosen times.
 * Storage, RPC and isolation of the objects themselves are tested in workerd.
 */
import { DatabaseSync } from "node:sqlite";
import type { Sql } from "../../src/ports/sql.ts";

export interface SqliteInNode {
  database: DatabaseSync;
  sql: Sql;
  /** Everything or, where the work throws, nothing. */
  transaction<T>(work: () => T): T;
}

export function sqliteInNode(): SqliteInNode {
  const database = new DatabaseSync(":memory:");
  return {
    database,
    sql: {
      exec<T>(query: string, ...bindings: (string | number | null)[]) {
        const found = database.prepare(query).all(...bindings) as T[];
        return { toArray: () => found };
      },
    },
    transaction(work) {
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
  };
}

/** A clock that stands until it is set. */
export const settableClock = (ms = Date.UTC(2026, 5, 1)) => ({
  ms,
  now(): number {
    return this.ms;
  },
});
