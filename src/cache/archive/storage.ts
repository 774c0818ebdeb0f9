/**
 * Where archives lie, as the archive store sees it: parts of one size in order, and a manifest that names them.
 * Implemented over KV (`kv-storage.ts`) and R2 (`r2-storage.ts`). Both may fail or forget: then the archive is fetched anew.
 */

/** Bytes of every part but the last. A KV value holds 25 MiB; R2 takes parts from 5 MiB on. */
export const PART_BYTES = 16 * 1024 * 1024;

export interface StoredPart {
  /** From 0. */
  index: number;
  /** Bytes of the archive before this part. */
  offset: number;
  bytes: number;
  /** SHA-256 of the part, lower-case hex. */
  sha256: string;
}

export interface PartWriter {
  /** Part by part, in order. */
  write(part: StoredPart, bytes: Uint8Array): Promise<void>;
  /** Where the parts lie: for `readPart`, whatever it means to this storage. */
  finish(): Promise<string>;
  /** Leaves nothing behind that could be found. Never throws. */
  abort(): Promise<void>;
}

export interface ArchiveStorage {
  readManifest(key: string): Promise<Uint8Array | null>;
  writeManifest(key: string, bytes: Uint8Array, ttlSeconds: number): Promise<void>;
  /** Never throws. */
  dropManifest(key: string): Promise<void>;
  /** Null: not there. May throw. The bytes may be damaged: whoever reads them hashes them. */
  readPart(place: string, part: StoredPart): Promise<Uint8Array | null>;
  writer(key: string, ttlSeconds: number): PartWriter;
}
