/** Where the next page of found entities begins: pinned to the commit and to the question, and to the ref it was asked by. */
import * as z from "zod";
import { boundKind, decodeCursor, encodeCursor, foreignCursor } from "../../core/cursor.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import { GitpinError } from "../../errors.ts";
import type { FindEntitiesInput } from "../../schema/entities.ts";
import type { Queue } from "./queue.ts";
import type { SelectedFile } from "./selection.ts";
import { type Position, START } from "./walk.ts";

const whole = z.number().int().min(0);
const shape = z.tuple([
  z.string().regex(/^[0-9a-f]{40}$/),
  z.string(),
  z.union([z.literal(0), z.literal(1)]),
  whole,
  whole,
]);

export interface Page {
  /** Null: the first page, at whatever is asked for. */
  sha: ObjectId | null;
  /** The ref that the first page was asked by, if by one. */
  ref: string | undefined;
  from: Position;
}

const kindOf = ({ repository, query, kind, language, path }: FindEntitiesInput): string =>
  boundKind("entities", repository, query ?? "", kind ?? "", language ?? "", path ?? "");

/** Throws `invalid_argument` for a cursor of another question or commit. */
export function pageOf(input: FindEntitiesInput): Page {
  const { cursor, ref, sha } = input;
  if (cursor === undefined) return { sha: null, ref, from: START };
  const [at, by, part, index, offset] = decodeCursor(kindOf(input), shape, cursor);
  const refBefore = by === "" ? undefined : by;
  if (ref !== undefined && ref !== refBefore) {
    throw wrong("ref", "cursor belongs to another ref.", "Leave ref out: the cursor carries the commit.");
  }
  if (sha !== undefined && !at.startsWith(sha.toLowerCase())) {
    throw wrong(
      "cursor",
      "cursor belongs to another commit.",
      "Leave sha out: the cursor carries the commit.",
    );
  }
  return { sha: at, ref: refBefore, from: { part, index, offset } };
}

/**
 * Throws `invalid_argument` for a position at which no page of this question begins: another file would be taken for its own. Where
 * the queue may lack a file, the file being selected is what can be asked for.
 */
export function checkPosition({ sha, from }: Page, files: readonly SelectedFile[], queue: Queue): void {
  if (sha === null) return;
  const queued = queue.files.find(({ file }) => file.index === from.index);
  const there =
    queued === undefined
      ? queue.gaps.length > 0 && files.some(({ index }) => index === from.index)
      : queued.part === from.part;
  if (!there) throw foreignCursor();
}

const wrong = (field: string, message: string, nextStep: string): GitpinError =>
  new GitpinError("invalid_argument", message, nextStep, { field });

export const cursorOf = (
  input: FindEntitiesInput,
  commit: ObjectId,
  ref: string | undefined,
  { part, index, offset }: Position,
): string => encodeCursor(kindOf(input), [commit, ref ?? "", part, index, offset]);
