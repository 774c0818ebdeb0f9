/**
 * Archives in KV: each part a value under its own SHA-256, so that two isolates that store one commit at a time cannot mix
 * their parts; the manifest last. All expire, the manifest a day before its parts.
 */
import type { ArchiveStorage } from "./storage.ts";

const DAY = 86_400;
/** A location may keep a miss as long, and a manifest is written right after it was missed. */
const MANIFEST_CACHE_SECONDS = 60;
const PART_CACHE_SECONDS = 3600;

const partKey = (place: string, sha256: string): string => `${place}/${sha256}`;

export function kvArchiveStorage(namespace: Pick<KVNamespace, "get" | "put" | "delete">): ArchiveStorage {
  const read = async (key: string, cacheTtl: number): Promise<Uint8Array | null> => {
    const value = await namespace.get(key, { type: "arrayBuffer", cacheTtl });
    return value === null ? null : new Uint8Array(value);
  };
  return {
    readManifest: (key) => read(key, MANIFEST_CACHE_SECONDS),
    writeManifest: (key, bytes, ttlSeconds) => namespace.put(key, bytes, { expirationTtl: ttlSeconds }),
    async dropManifest(key) {
      await namespace.delete(key).catch(() => undefined);
    },
    readPart: (place, part) => read(partKey(place, part.sha256), PART_CACHE_SECONDS),
    writer: (key, ttlSeconds) => ({
      write: (part, bytes) =>
        namespace.put(partKey(key, part.sha256), bytes, { expirationTtl: ttlSeconds + DAY }),
      finish: () => Promise.resolve(key),
      // Parts without a manifest are never looked for, and expire.
      abort: () => Promise.resolve(),
    }),
  };
}
