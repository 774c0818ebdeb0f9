/**
 * The store of commits' archives, as they came, in parts: written while an archive streams by, read part by part.
 * Owns the order of writing (parts, then manifest), expiry, and that no part is used whose SHA-256 differs. A store that
 * fails is no error of a search: nothing is kept, and the archive is fetched again. Whoever reads checks access before.
 */
import { sha256 } from "../../core/git/hash.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Key } from "../keys.ts";
import type { MemoryTier } from "../memory-tier.ts";
import type { ByteSource } from "./byte-source.ts";
import { decodeManifest, encodeManifest, type Manifest, type TooLargeNote } from "./manifest.ts";
import { type ArchiveStorage, PART_BYTES, type PartWriter, type StoredPart } from "./storage.ts";

export interface ArchiveStoreOptions {
  /** Null: archives are not kept. */
  storage: ArchiveStorage | null;
  ttlSeconds: number;
  memory: MemoryTier;
  clock: Clock;
}

/** A part that is gone, or is not the part that was written. */
export class StoredArchiveDamaged extends Error {
  override readonly name = "StoredArchiveDamaged";
}

/** An archive on its way into the store. */
export interface Recording {
  /** Takes bytes as they come by. Never throws: from the first failure on nothing is kept. */
  add(bytes: Uint8Array): Promise<void>;
  /** Says that the archive is whole and proven. Null: it could not be kept. */
  keep(difference: Manifest["difference"]): Promise<Manifest | null>;
  /** Leaves nothing. */
  abandon(): Promise<void>;
}

/** KV takes no shorter life. */
const LEAST_TTL_SECONDS = 60;

export type ArchiveKey = Key<Manifest | TooLargeNote>;

export class ArchiveStore {
  readonly #options: ArchiveStoreOptions;
  /** Writes and reads that failed since this isolate started. */
  failures = 0;

  constructor(options: ArchiveStoreOptions) {
    this.#options = options;
  }

  /** What is known of this commit's archive; null when nothing is, or no longer. */
  async find(key: ArchiveKey): Promise<Manifest | TooLargeNote | null> {
    const { storage, memory, clock } = this.#options;
    const known = memory.get(key) ?? (storage === null ? null : await this.#load(storage, key));
    return known !== null && known.expiresAt > clock.now() ? known : null;
  }

  /** Its bytes, in order. Throws `StoredArchiveDamaged`. */
  open(manifest: Manifest): ByteSource {
    const { storage } = this.#options;
    const waiting = [...manifest.parts];
    return {
      next: async () => {
        const part = waiting.shift();
        if (part === undefined || storage === null) return null;
        const bytes = await storage.readPart(manifest.place, part).catch(() => this.#failed(null));
        if (bytes === null || bytes.byteLength !== part.bytes || sha256(bytes) !== part.sha256) {
          throw new StoredArchiveDamaged(`part ${part.index} is ${bytes === null ? "gone" : "damaged"}`);
        }
        return bytes;
      },
      cancel: async () => void waiting.splice(0),
    };
  }

  /**
   * Lets a commit stand on the archive of the one it was made from, for as long as that is kept. `change` says how the archive stands
   * to it; null: not so that it could be used. Nothing is copied. Never throws.
   */
  async derive(
    from: ArchiveKey,
    to: ArchiveKey,
    change: (before: Manifest["difference"]) => Manifest["difference"],
  ): Promise<void> {
    const { storage, clock } = this.#options;
    const known = await this.find(from);
    if (storage === null || known === null || !("parts" in known)) return;
    const seconds = Math.floor((known.expiresAt - clock.now()) / 1000);
    const difference = change(known.difference);
    if (difference === null || seconds < LEAST_TTL_SECONDS) return;
    await this.#save(storage, to, { ...known, difference }, seconds).catch(() => this.#failed(undefined));
  }

  /** `commit`: whose archive it is. */
  record(key: ArchiveKey, commit: ObjectId): Recording {
    const { storage, ttlSeconds } = this.#options;
    if (storage === null) return UNRECORDED;
    const writer = storage.writer(key, ttlSeconds);
    const parts = new PartBuffer(writer);
    let failed = false;
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      if (failed) return;
      try {
        await work();
      } catch {
        failed = this.#failed(true);
        await writer.abort();
      }
    };
    return {
      add: (bytes) => attempt(() => parts.add(bytes)),
      keep: async (difference) => {
        let manifest: Manifest | null = null;
        await attempt(async () => {
          await parts.flush();
          const place = await writer.finish();
          manifest = { expiresAt: this.#expiry(), commit, place, parts: parts.written, difference };
          await this.#save(storage, key, manifest);
        });
        return failed ? null : manifest;
      },
      abandon: () => (failed ? Promise.resolve() : writer.abort()),
    };
  }

  /** Remembers that this archive is not to be fetched again under the same bound. */
  async noteTooLarge(key: ArchiveKey, note: Omit<TooLargeNote, "expiresAt">): Promise<void> {
    const { storage, memory } = this.#options;
    const value = { ...note, expiresAt: this.#expiry() };
    memory.set(key, value, 300);
    if (storage !== null) await this.#save(storage, key, value).catch(() => this.#failed(undefined));
  }

  async drop(key: ArchiveKey): Promise<void> {
    this.#options.memory.delete(key);
    await this.#options.storage?.dropManifest(key);
  }

  async #load(storage: ArchiveStorage, key: ArchiveKey): Promise<Manifest | TooLargeNote | null> {
    const bytes = await storage.readManifest(key).catch(() => this.#failed(null));
    const known = bytes === null ? null : decodeManifest(key, bytes);
    if (bytes !== null && known === null) await storage.dropManifest(key);
    if (known !== null) this.#options.memory.set(key, known, bytes?.byteLength ?? 0);
    return known;
  }

  async #save(
    storage: ArchiveStorage,
    key: ArchiveKey,
    value: Manifest | TooLargeNote,
    ttlSeconds = this.#options.ttlSeconds,
  ): Promise<void> {
    const bytes = encodeManifest(key, value);
    await storage.writeManifest(key, bytes, ttlSeconds);
    this.#options.memory.set(key, value, bytes.byteLength);
  }

  #expiry(): number {
    return this.#options.clock.now() + this.#options.ttlSeconds * 1000;
  }

  #failed<T>(instead: T): T {
    this.failures += 1;
    return instead;
  }
}

const UNRECORDED: Recording = {
  add: () => Promise.resolve(),
  keep: () => Promise.resolve(null),
  abandon: () => Promise.resolve(),
};

/** Cuts bytes that come in any lengths into parts; one buffer, used again for every part. */
class PartBuffer {
  readonly #writer: PartWriter;
  #buffer: Uint8Array | null = null;
  #filled = 0;
  readonly written: StoredPart[] = [];
  #offset = 0;

  constructor(writer: PartWriter) {
    this.#writer = writer;
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength; ) {
      this.#buffer ??= new Uint8Array(PART_BYTES);
      const piece = bytes.subarray(at, at + PART_BYTES - this.#filled);
      this.#buffer.set(piece, this.#filled);
      this.#filled += piece.byteLength;
      at += piece.byteLength;
      if (this.#filled === PART_BYTES) await this.flush();
    }
  }

  async flush(): Promise<void> {
    if (this.#buffer === null || this.#filled === 0) return;
    const bytes = this.#buffer.subarray(0, this.#filled);
    const part = {
      index: this.written.length,
      offset: this.#offset,
      bytes: bytes.byteLength,
      sha256: sha256(bytes),
    };
    await this.#writer.write(part, bytes);
    this.written.push(part);
    this.#offset += bytes.byteLength;
    this.#filled = 0;
  }
}
