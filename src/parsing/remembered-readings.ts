/**
 * Readings kept in the memory of one isolate, so that the next page, or the next question about the same commit, parses nothing
 * again. A reading hangs on all that it was made of: repository, path, mode and the bytes themselves, by their blob id. Bounded
 * by estimated room; what was not asked for longest goes first.
 */
import { roomOfReading } from "../core/entity/room.ts";
import { objectId } from "../core/git/hash.ts";
import type { EntityParser, SourceFile, SourceReading } from "../ports/entity-parser.ts";

/** `bytes`: room of all that is kept, at most. Readings are shared with whoever asks: they are not to be changed. */
export function rememberReadings(parser: EntityParser, bytes: number): EntityParser {
  const kept = new Map<string, { reading: SourceReading; room: number }>();
  let used = 0;

  const keep = (key: string, reading: SourceReading): void => {
    const room =
      key.length + (reading.status === "read" ? roomOfReading(reading.entities, reading.faults) : 0);
    if (room > bytes || kept.has(key)) return;
    kept.set(key, { reading, room });
    used += room;
    for (const [oldest, held] of kept) {
      if (used <= bytes) break;
      kept.delete(oldest);
      used -= held.room;
    }
  };

  const read = async (file: SourceFile): Promise<SourceReading> => {
    const key = keyOf(file);
    const held = kept.get(key);
    if (held !== undefined) {
      kept.delete(key);
      kept.set(key, held);
      return held.reading;
    }
    const reading = await parser.read(file);
    keep(key, reading);
    return reading;
  };

  return {
    read,
    async readAll(files) {
      const readings: SourceReading[] = [];
      for (const file of files) readings.push(await read(file));
      return readings;
    },
    plan: (request, view) => parser.plan(request, view),
  };
}

const keyOf = ({ repositoryId, mode, path, bytes }: SourceFile): string =>
  `${repositoryId} ${mode} ${objectId("blob", bytes)} ${path}`;
