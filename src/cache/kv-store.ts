/**
 * The store of immutable objects over Workers KV, shared by all isolates.
 * Every failure is a miss and is counted; writes are best effort and never awaited by an answer. What comes out may be
 * damaged or old: readers hash it. Keys come from `keys.ts`.
 */
import type { Background } from "../ports/background.ts";
import type { ObjectStore } from "../ports/object-store.ts";

/** Bound of KV on one value. */
const VALUE_BYTES_AT_MOST = 25 * 1024 * 1024;

/** Values never change, so a location may keep them; it may keep misses as long, hence no more than an hour. */
const CACHE_SECONDS = 3600;

/** The store as one call uses it: its writes live on in that call's background. */
export type OpenStore = (background: Background) => ObjectStore;

export interface StoreFailures {
  reads: number;
  writes: number;
}

/** The part of a KV namespace that is used. */
export type Namespace = Pick<KVNamespace, "get" | "put" | "delete">;

export interface KvStore {
  open: OpenStore;
  /** Failed reads and writes since this isolate started. */
  failures: Readonly<StoreFailures>;
}

export function createKvStore(namespace: Namespace): KvStore {
  const failures: StoreFailures = { reads: 0, writes: 0 };
  const write = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch {
      failures.writes += 1;
    }
  };
  const open: OpenStore = (background) => ({
    async get(key) {
      try {
        const value = await namespace.get(key, { type: "arrayBuffer", cacheTtl: CACHE_SECONDS });
        return value === null ? null : new Uint8Array(value);
      } catch {
        failures.reads += 1;
        return null;
      }
    },
    put(key, bytes) {
      if (bytes.byteLength > VALUE_BYTES_AT_MOST) return;
      background.keepAlive(write(() => namespace.put(key, bytes)));
    },
    drop(key) {
      background.keepAlive(write(() => namespace.delete(key)));
    },
  });
  return { open, failures };
}

/** Keeps nothing: where no namespace is bound, and on the command line. */
export const nullStore: OpenStore = () => ({
  get: () => Promise.resolve(null),
  put: () => undefined,
  drop: () => undefined,
});
