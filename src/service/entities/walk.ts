/**
 * Goes through files one after the other, takes the entities that are wanted, and stops at a bound: of entities, of files,
 * of bytes. Where it stopped is a position to go on from, so nothing is cut silently. What was parsed before is not parsed again.
 */
import { foreignCursor } from "../../core/cursor.ts";
import type { FaultPlace } from "../../core/entity/edit/outcome.ts";
import type { Entity } from "../../core/entity/entity.ts";
import type { RefusalReason } from "../../core/entity/source-refused.ts";
import type { SourceReading } from "../../ports/entity-parser.ts";
import type { EntityPlace } from "./place.ts";
import { FilesReading } from "./read-files.ts";
import type { SelectedFile } from "./selection.ts";
import { sourceBytes } from "./source-bytes.ts";

/** Of one call: files that are looked at, and their bytes in all. */
export const WALK_AT_MOST = { files: 100, bytes: 4_000_000 } as const;
/** Files that are handed to the parser in one go. */
const AT_ONCE = 16;
/** Where the host did not say how large a file is. */
const USUAL_BYTES = 20_000;

export interface QueuedFile {
  file: SelectedFile;
  /** A queue has a first part and a second one, each in git's order. */
  part: 0 | 1;
  /** Null: not read yet. */
  bytes: Uint8Array | null;
}

export interface Position {
  part: 0 | 1;
  /** Of a file, see `SelectedFile`. */
  index: number;
  /** Entities of that file, from its first, that are behind. */
  offset: number;
}

export const START: Position = { part: 0, index: 0, offset: 0 };

export interface Walked<T> {
  found: { entity: Entity; as: T }[];
  /** Files that were looked at. */
  read: number;
  /** `reason` null: it could not be had, or the parser gave up on it. */
  refused: { path: string; reason: RefusalReason | null; message: string | null }[];
  /** The first syntax fault of each file that has any. */
  faults: FaultPlace[];
  /** Where the next call goes on; null at the end of the queue. */
  next: Position | null;
}

export interface Wanted<T> {
  /** Null: not wanted. */
  accept(entity: Entity): T | null;
  limit: number;
}

/** Whether a queued file is still to be looked at from there. */
export const isAhead = ({ part, file }: Pick<QueuedFile, "part" | "file">, from: Position): boolean =>
  part > from.part || (part === from.part && file.index >= from.index);

/**
 * Throws what reading throws; `entities_unavailable` where the parser answered for no file at all; `invalid_argument` where `from`
 * is at no wanted entity.
 */
export async function walk<T>(
  place: EntityPlace,
  queue: readonly QueuedFile[],
  from: Position,
  { accept, limit }: Wanted<T>,
): Promise<Walked<T>> {
  const ahead = queue.filter((queued) => isAhead(queued, from));
  const affordable = ahead.slice(0, affordableFiles(ahead));
  const unknown = affordable.filter((queued) => queued.bytes === null && known(place, queued) === null);
  const source = await sourceBytes(
    place,
    unknown.map(({ file }) => file),
  );
  const firstUnserved = unknown[source.within];
  const window =
    firstUnserved === undefined ? affordable : affordable.slice(0, affordable.indexOf(firstUnserved));
  const reading = new FilesReading(place);
  const walked: Walked<T> = { found: [], read: 0, refused: [], faults: [], next: null };

  for (let at = 0; at < window.length && walked.next === null; at += AT_ONCE) {
    const group = window.slice(at, at + AT_ONCE);
    const readings = await readingsOf(place, group, source, reading);
    for (const [index, queued] of group.entries()) {
      take(walked, queued, readings[index] ?? null, from, { accept, limit });
      if (walked.next !== null) break;
    }
    await place.pause();
  }
  reading.check();
  const rest = ahead[window.length];
  if (walked.next === null && rest !== undefined) {
    walked.next = { part: rest.part, index: rest.file.index, offset: 0 };
  }
  return walked;
}

function affordableFiles(queue: readonly QueuedFile[]): number {
  let bytes = 0;
  for (const [index, { file }] of queue.entries()) {
    bytes += file.entry.size ?? USUAL_BYTES;
    if (index === WALK_AT_MOST.files || (bytes > WALK_AT_MOST.bytes && index > 0)) return index;
  }
  return queue.length;
}

const known = ({ remembered, repositoryId }: EntityPlace, { file: { entry } }: QueuedFile) =>
  remembered.get({ repositoryId, path: entry.path, blob: entry.id });

async function readingsOf(
  place: EntityPlace,
  group: readonly QueuedFile[],
  source: { of(files: readonly SelectedFile[]): Promise<(Uint8Array | null)[]> },
  reading: FilesReading,
): Promise<(SourceReading | null)[]> {
  const before = new Map(group.map((queued) => [queued, known(place, queued)]));
  const unread = group.filter((queued) => before.get(queued) === null);
  const lacking = unread.filter(({ bytes }) => bytes === null);
  const fetched = await source.of(lacking.map(({ file }) => file));
  const bytesOf = new Map(lacking.map((queued, index) => [queued, fetched[index] ?? null]));
  const inHand = unread.flatMap((queued) => {
    const bytes = queued.bytes ?? bytesOf.get(queued) ?? null;
    return bytes === null ? [] : [{ queued, file: queued.file, bytes }];
  });
  const fresh = await reading.read(inHand);
  const after = new Map(inHand.map(({ queued }, index) => [queued, fresh[index] ?? null]));
  return group.map((queued) => before.get(queued) ?? after.get(queued) ?? null);
}

function take<T>(
  walked: Walked<T>,
  { file, part }: QueuedFile,
  reading: SourceReading | null,
  from: Position,
  { accept, limit }: Wanted<T>,
): void {
  const { path } = file.entry;
  walked.read += 1;
  if (reading?.status !== "read") {
    walked.refused.push({ path, reason: reading?.reason ?? null, message: reading?.message ?? null });
    return;
  }
  const [fault] = reading.faults;
  if (fault !== undefined) walked.faults.push(fault);
  const resumed = part === from.part && file.index === from.index;
  if (resumed && from.offset > 0) {
    const begin = reading.entities[from.offset];
    if (begin === undefined || accept(begin) === null) throw foreignCursor();
  }
  for (const [offset, entity] of reading.entities.entries()) {
    if (resumed && offset < from.offset) continue;
    const as = accept(entity);
    if (as === null) continue;
    if (walked.found.length === limit) {
      walked.next = { part, index: file.index, offset };
      return;
    }
    walked.found.push({ entity, as });
  }
}
