/**
 * Readings of files that were parsed already, in the memory of one isolate, and in which file an entity stands. A reading
 * belongs to a repository, a path and a blob: equal bytes at the same path have the same entities, whatever the commit.
 * Bounded by bytes, least recently used first. Holds no permission: who asks has been let to the path before.
 */
import { roomOfReading } from "../../core/entity/room.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { EntityParser, SourceReading } from "../../ports/entity-parser.ts";

/** Of all readings together, by estimate. */
const BYTES_AT_MOST = 12_000_000;
/** Entities whose file is remembered. */
const PATHS_AT_MOST = 30_000;

export interface ReadFile {
  repositoryId: number;
  path: string;
  blob: ObjectId;
}

interface Kept {
  reading: SourceReading;
  bytes: number;
}

export class RememberedReadings {
  readonly #kept = new Map<string, Kept>();
  readonly #paths = new Map<string, string>();
  #bytes = 0;

  get(file: ReadFile): SourceReading | null {
    const key = keyOf(file);
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    // A map keeps the order of insertion: what is used becomes the newest.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.reading;
  }

  keep(file: ReadFile, reading: SourceReading): void {
    const entities = reading.status === "read" ? reading.entities : [];
    for (const { id, path } of entities) this.#place(`${file.repositoryId} ${id}`, path);
    const key = keyOf(file);
    const bytes = 2 * key.length + roomOfReading(entities, reading.status === "read" ? reading.faults : []);
    if (this.#kept.has(key) || bytes > BYTES_AT_MOST / 4) return;
    this.#kept.set(key, { reading, bytes });
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= BYTES_AT_MOST) break;
      this.#kept.delete(oldest);
      this.#bytes -= kept.bytes;
    }
  }

  /** Where an entity stood in whatever commit was read; null: it was not met. */
  pathOf(repositoryId: number, entityId: string): string | null {
    return this.#paths.get(`${repositoryId} ${entityId}`) ?? null;
  }

  #place(key: string, path: string): void {
    this.#paths.delete(key);
    this.#paths.set(key, path);
    for (const oldest of this.#paths.keys()) {
      if (this.#paths.size <= PATHS_AT_MOST) break;
      this.#paths.delete(oldest);
    }
  }
}

const keyOf = ({ repositoryId, blob, path }: ReadFile): string => `${repositoryId} ${blob} ${path}`;

// What a parser said is remembered as long as the parser is.
const ofParser = new WeakMap<EntityParser, RememberedReadings>();

export function rememberedBy(parser: EntityParser): RememberedReadings {
  const known = ofParser.get(parser) ?? new RememberedReadings();
  ofParser.set(parser, known);
  return known;
}
