/**
 * Reading an immutable object through memory, the store and the host, in this order, once for all who ask at a time.
 * What the store gives must decode (decoding checks its hash); what does not is dropped and fetched again.
 */
import type { Background } from "../ports/background.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import type { Key } from "./keys.ts";
import type { MemoryTier } from "./memory-tier.ts";
import type { SingleFlight } from "./single-flight.ts";

/** What a read goes through. `store` and `background` are those of the call. */
export interface Tiers {
  memory: MemoryTier;
  store: ObjectStore;
  flights: SingleFlight;
  background: Background;
  ledger: Ledger;
}

/** How values of one kind are kept. */
export interface Form<T> {
  /** Null: damaged. Checks the hash: nothing that comes out was not proven. */
  decode(key: Key<T>, bytes: Uint8Array): T | null;
  encode(key: Key<T>, value: T): Uint8Array;
  /** Bytes the value takes in memory, by estimate. */
  weigh(value: T): number;
}

/** The value where it is known without asking the host. */
export async function readKnown<T>(tiers: Tiers, key: Key<T>, form: Form<T>): Promise<T | null> {
  const near = tiers.memory.get(key);
  if (near !== undefined) {
    tiers.ledger.cacheHits += 1;
    return near;
  }
  const bytes = await tiers.store.get(key);
  if (bytes === null) return null;
  const value = form.decode(key, bytes);
  if (value === null) {
    tiers.store.drop(key);
    return null;
  }
  tiers.ledger.cacheHits += 1;
  tiers.memory.set(key, value, form.weigh(value));
  return value;
}

/** Keeps a value that was just proven, in memory and in the store. */
export function keep<T>(tiers: Tiers, key: Key<T>, form: Form<T>, value: T): void {
  tiers.memory.set(key, value, form.weigh(value));
  tiers.store.put(key, form.encode(key, value));
}

/** `fetch` asks the host; null means "not there" and is not kept. */
export async function readThrough<T>(
  tiers: Tiers,
  key: Key<T>,
  form: Form<T>,
  fetch: () => Promise<T | null>,
): Promise<T | null> {
  const near = tiers.memory.get(key);
  if (near !== undefined) {
    tiers.ledger.cacheHits += 1;
    return near;
  }
  return tiers.flights.run(`${key}` as Key<T | null>, tiers.background, async () => {
    const known = await readKnown(tiers, key, form);
    if (known !== null) return known;
    const value = await fetch();
    if (value !== null) keep(tiers, key, form, value);
    return value;
  });
}
