/**
 * Where the next page of a search starts. Pinned to the commit and to the question, so it stays good for ever and for
 * nothing else. It is a position, never an authorization.
 */
import * as z from "zod";
import { GitpinError } from "../../errors.ts";
import type { RawPath } from "../archive/raw-path.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { ObjectId } from "../git/object-id.ts";

export interface SearchPosition {
  /** Files before this path were searched by an earlier call that ran out of work; empty: none were. */
  from: RawPath;
  /** The last hit already given: its path and line; empty and 0: none was. For `files` the line does not count. */
  afterPath: RawPath;
  afterLine: number;
}

export const START: SearchPosition = { from: "", afterPath: "", afterLine: 0 };

const KIND = "search";
const SHAPE = z.tuple([z.string(), z.string(), z.string(), z.string(), z.number().int().min(0)]);

export function encodePosition(commit: ObjectId, digest: string, position: SearchPosition): string {
  return encodeCursor(KIND, [commit, digest, position.from, position.afterPath, position.afterLine]);
}

/** Throws `invalid_argument` for a cursor of another commit, another question, or none of ours. */
export function decodePosition(commit: ObjectId, digest: string, cursor: string | null): SearchPosition {
  if (cursor === null) return START;
  const [ofCommit, ofDigest, from, afterPath, afterLine] = decodeCursor(KIND, SHAPE, cursor);
  if (ofCommit === commit && ofDigest === digest) return { from, afterPath, afterLine };
  throw new GitpinError(
    "invalid_argument",
    ofCommit === commit ? "cursor belongs to another query." : "cursor belongs to another commit.",
    ofCommit === commit
      ? "Repeat the query, mode, paths, language and answer of the page before, or leave cursor out."
      : `Ask at sha ${ofCommit} to go on with that search, or leave cursor out to start anew.`,
    { field: "cursor", cursorCommit: ofCommit },
  );
}
