/**
 * Parsed objects in the memory of one isolate: least recently used go first, bounded by bytes as their owners weigh them.
 * Values are shared between calls: nobody changes what came out of here. Plain data only, never streams or responses,
 * which belong to the request that made them.
 */
import type { Key } from "./keys.ts";

interface Slot {
  value: unknown;
  bytes: number;
}

/** What a slot costs beside its value. */
const OVERHEAD = 200;

export class MemoryTier {
  readonly #slots = new Map<string, Slot>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get<T>(key: Key<T>): T | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    // A map keeps the order of insertion: setting again makes the slot the newest.
    this.#slots.delete(key);
    this.#slots.set(key, slot);
    return slot.value as T;
  }

  /** `bytes`: what the value holds, by estimate. One that would take over three quarters of the tier is not kept. */
  set<T>(key: Key<T>, value: T, bytes: number): void {
    this.delete(key);
    const cost = bytes + key.length * 2 + OVERHEAD;
    if (cost > this.#maxBytes * 0.75) return;
    this.#slots.set(key, { value, bytes: cost });
    this.#bytes += cost;
    for (const oldest of this.#slots.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#bytes -= slot.bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#slots.size;
  }
}
