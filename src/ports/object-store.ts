/**
 * A keyed store of immutable bytes. Keys carry API host, repository id and full object id, so nothing crosses
 * repositories. A store may forget or damage anything: readers hash what they get and fetch again.
 */
export interface ObjectStore {
  /** Null: not there, or the store failed (a cache that fails is a miss, counted by the store, never an error). */
  get(key: string): Promise<Uint8Array | null>;
  /** Best effort; returns at once and never throws. */
  put(key: string, bytes: Uint8Array): void;
  /** Drops an entry found to be damaged. Best effort. */
  drop(key: string): void;
}
