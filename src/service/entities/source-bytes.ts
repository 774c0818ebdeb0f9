/**
 * Bytes of some files of a commit: a few as blobs, one request each where they are not known yet; more from the commit's
 * archive, which costs the same two requests for any number. Every byte was hashed by who gave it.
 */
import { GitpinError } from "../../errors.ts";
import { sideBySide } from "../side-by-side.ts";
import { inArchive } from "./archived.ts";
import type { EntityPlace } from "./place.ts";
import type { SelectedFile } from "./selection.ts";

/** Up to so many files the archive is not worth its download. */
export const FILES_BY_BLOB = 6;
/** Where the archive is too large: each is a request. */
const BLOBS_AT_MOST = 30;

export interface SourceBytes {
  /** How many of the files, from the first, can be had. */
  within: number;
  /** Null: neither archive nor host gives it. */
  of(files: readonly SelectedFile[]): Promise<(Uint8Array | null)[]>;
}

export async function sourceBytes(place: EntityPlace, files: readonly SelectedFile[]): Promise<SourceBytes> {
  if (files.length <= FILES_BY_BLOB) return byBlob(place, files.length);
  try {
    const held = await fromArchive(place, files);
    return { within: files.length, of: async (some) => some.map((file) => held.get(file) ?? null) };
  } catch (error) {
    if (!(error instanceof GitpinError) || error.code !== "archive_too_large") throw error;
    return byBlob(place, Math.min(files.length, BLOBS_AT_MOST));
  }
}

const byBlob = ({ reader }: EntityPlace, within: number): SourceBytes => ({
  within,
  of: (some) => sideBySide(some, ({ entry }) => reader.blob(entry.id)),
});

async function fromArchive(
  { reader, commit }: EntityPlace,
  files: readonly SelectedFile[],
): Promise<Map<SelectedFile, Uint8Array>> {
  const { result } = await reader.files(commit, async (archive) => {
    const selected = inArchive(files);
    const held = new Map<SelectedFile, Uint8Array>();
    for await (const archived of archive) {
      const file = selected(archived);
      if (file !== null && archived.bytes !== null) held.set(file, archived.bytes.slice());
      if (held.size === files.length) break;
    }
    return held;
  });
  return result;
}
