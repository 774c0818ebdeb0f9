/** The ledger of requests as the Worker reaches it, kept by Node's SQLite: arguments and answers are cloned on their way. */
import { type RequestsHome, requestLedger } from "../../src/commits/requests/request-ledger.ts";
import { RequestStore } from "../../src/commits/requests/request-store.ts";
import type { RequestLedger } from "../../src/ports/request-ledger.ts";
import { type SqliteInNode, settableClock, sqliteInNode } from "./sqlite-in-node.ts";

export interface RequestsInNode {
  ledger: RequestLedger;
  clock: ReturnType<typeof settableClock>;
  /** While set, no object can be reached. */
  failing: { on: boolean };
  /** The objects there are, by name. */
  objects: ReadonlyMap<string, { store: RequestStore; sqlite: SqliteInNode }>;
}

export function requestsInNode(): RequestsInNode {
  const clock = settableClock();
  const failing = { on: false };
  const objects = new Map<string, { store: RequestStore; sqlite: SqliteInNode }>();
  const storeOf = (name: string): RequestStore => {
    const known = objects.get(name);
    if (known !== undefined) return known.store;
    const sqlite = sqliteInNode();
    const store = new RequestStore(sqlite.sql, (work) => sqlite.transaction(work), clock);
    objects.set(name, { store, sqlite });
    return store;
  };
  const crossing = async <T>(work: () => T): Promise<T> => {
    if (failing.on) throw new Error("Durable Object is overloaded");
    return structuredClone(work());
  };
  const open = (name: string): RequestsHome => ({
    claim: (id, digest) => crossing(() => storeOf(name).claim(id, digest)),
    intend: (id, fence, intent) => crossing(() => storeOf(name).intend(id, fence, structuredClone(intent))),
    settle: (id, fence, receipt) => crossing(() => storeOf(name).settle(id, fence, receipt)),
    amend: (id, fence, receipt) => crossing(() => storeOf(name).amend(id, fence, receipt)),
    release: (id, fence) => crossing(() => storeOf(name).release(id, fence)),
  });
  return { ledger: requestLedger(open), clock, failing, objects };
}
