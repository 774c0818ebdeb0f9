/** The adapter to GitHub of one isolate: what it may keep, and where, as settings and bindings say. */

import { kvArchiveStorage } from "../cache/archive/kv-storage.ts";
import { r2ArchiveStorage } from "../cache/archive/r2-storage.ts";
import type { ArchiveStorage } from "../cache/archive/storage.ts";
import { createKvStore } from "../cache/kv-store.ts";
import { MemoryTier } from "../cache/memory-tier.ts";
import type { Config } from "../config.ts";
import { createGitHub, type GitHub } from "../github/github.ts";
import type { Clock } from "../ports/clock.ts";
import { VERSION } from "../version.ts";
import type { Bindings } from "./bindings.ts";

/** A bucket where one is bound, else the KV namespace. */
function archiveStorage({ ARCHIVES, OBJECTS }: Bindings): ArchiveStorage | null {
  if (ARCHIVES !== undefined) return r2ArchiveStorage(ARCHIVES, () => crypto.randomUUID());
  return OBJECTS === undefined ? null : kvArchiveStorage(OBJECTS);
}

export const openGitHub = (config: Config, bindings: Bindings, clock: Clock): GitHub =>
  createGitHub({
    ...config,
    fetch: (input, init) => fetch(input, init),
    ...(bindings.OBJECTS === undefined ? {} : { store: createKvStore(bindings.OBJECTS).open }),
    memory: new MemoryTier(config.memoryCacheBytes),
    archiveStorage: archiveStorage(bindings),
    clock,
    userAgent: `gitpin-edge/${VERSION}`,
  });
