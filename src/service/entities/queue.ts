/**
 * In which order selected files are looked at, and which need not be: with a name that is looked for in many files, only those
 * that hold its words, and first those that hold them as written. Files too large to parse are told, where they may matter.
 */
import { type WordForm, wordsOfName } from "../../core/entity/name-query.ts";
import { SOURCE_BYTES } from "../../core/entity/source-text.ts";
import { filesHolding, type HoldingFile } from "./holding.ts";
import type { EntityPlace } from "./place.ts";
import type { SelectedFile } from "./selection.ts";
import type { Skips } from "./skipped.ts";
import { FILES_BY_BLOB } from "./source-bytes.ts";
import { isAhead, type Position, type QueuedFile, WALK_AT_MOST } from "./walk.ts";

export interface Queue {
  files: QueuedFile[];
  /** How many hold the words; null where all were taken, unsearched. */
  holding: number | null;
  /** Why a file that matters may not be among them. */
  gaps: string[];
}

export interface Named {
  name: string | undefined;
  /** `whole`: the name as it stands; `part`: any part of it, whatever the case. */
  form: WordForm;
  from: Position;
}

export async function queueOf(
  place: EntityPlace,
  files: readonly SelectedFile[],
  skips: Skips,
  named: Named,
): Promise<Queue> {
  const words = named.name === undefined ? [] : wordsOfName(named.name);
  if (words.length === 0 || files.length <= FILES_BY_BLOB) {
    const all = files.map((file): QueuedFile => ({ file, part: 0, bytes: null }));
    return { files: parsable(all, skips), holding: null, gaps: [] };
  }
  const holding = await filesHolding(place, files, {
    words,
    form: named.form,
    keep: keeper(place, named.from),
  });
  const queued = holding.files.map((held): QueuedFile => ({ ...held, part: partOf(held) }));
  queued.sort((one, other) => one.part - other.part || one.file.index - other.file.index);
  return { files: parsable(queued, skips), holding: queued.length, gaps: holding.gaps };
}

const partOf = ({ asWritten }: Pick<HoldingFile, "asWritten">): 0 | 1 => (asWritten ? 0 : 1);

function parsable(queued: readonly QueuedFile[], skips: Skips): QueuedFile[] {
  return queued.filter(({ file: { entry } }) => {
    const tooLarge = (entry.size ?? 0) > SOURCE_BYTES;
    if (tooLarge) skips.add("too_large", entry.path);
    return !tooLarge;
  });
}

/** Keeps the bytes of the files that the walk comes to first, of each part as many as one walk takes. */
function keeper({ remembered, repositoryId }: EntityPlace, from: Position) {
  const left = [WALK_AT_MOST, WALK_AT_MOST].map(
    (bound) => ({ ...bound }) as { files: number; bytes: number },
  );
  return (held: HoldingFile): boolean => {
    const { entry } = held.file;
    const part = partOf(held);
    const room = left[part];
    if (room === undefined || !isAhead({ file: held.file, part }, from)) return false;
    if (remembered.get({ repositoryId, path: entry.path, blob: entry.id }) !== null) return false;
    room.files -= 1;
    room.bytes -= entry.size ?? 0;
    return room.files >= 0 && room.bytes >= 0;
  };
}
