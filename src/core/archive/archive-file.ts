/**
 * One file of a commit as an archive (or a blob in its stead) gives it. Owns the shape that the search reads.
 * A submodule and a directory are no files; a symlink's content is its target.
 */
import type { ObjectId } from "../git/object-id.ts";
import type { RawPath } from "./raw-path.ts";

export type FileKind = "file" | "executable" | "symlink";

/** What is kept of every file: enough to rebuild the root tree and to find a blob by its path. */
export interface FileRecord {
  kind: FileKind;
  id: ObjectId;
  /** Bytes of the blob. */
  size: number;
}

export interface ArchiveFile {
  rawPath: RawPath;
  /** For people and JSON; U+FFFD where the name is not UTF-8. */
  path: string;
  kind: FileKind;
  size: number;
  /** Whole content, valid until the next file is asked for; null when it is too big to hold or `missing`. */
  bytes: Uint8Array | null;
  /** Content in order, once; for any file. A piece is valid until the next one. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Why the content cannot be had, in words; null when it can. */
  missing: string | null;
}

/** A file whose content is held. */
export function heldFile(
  place: { rawPath: RawPath; path: string; kind: FileKind },
  bytes: Uint8Array,
): ArchiveFile {
  return {
    ...place,
    size: bytes.byteLength,
    bytes,
    async *pieces() {
      yield bytes;
    },
    missing: null,
  };
}
