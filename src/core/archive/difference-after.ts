/**
 * How the archive of one commit stands to a commit made from it: what the edit wrote is read as blobs, all else lies in the archive.
 * Rests on the archive's proof against its own commit, and on the edit being all that lies between the two trees. Pure.
 */
import type { ObjectId } from "../git/object-id.ts";
import { kindOfMode } from "../git/tree-entry.ts";
import type { ArchiveDifference, FileToRead } from "./archive-difference.ts";
import { rawPathOfText } from "./raw-path.ts";

/** A file as the edit left it. */
export interface WrittenFile {
  path: string;
  /** Six octal digits. */
  mode: string;
  id: ObjectId;
  /** Bytes. */
  size: number;
}

/** What lies between an archive and its own tree; null where nothing does. */
type Before = Pick<ArchiveDifference, "toRead" | "extra" | "submodules"> | null;

/** Null: a path may stand for several names that are not UTF-8, or a mode is no file's, so that it cannot be said. */
export function differenceAfter(before: Before, written: readonly WrittenFile[]): ArchiveDifference | null {
  const toRead = new Map((before?.toRead ?? []).map((file) => [file.rawPath, file]));
  for (const { path, mode, id, size } of written) {
    const kind = kindOfMode(mode);
    if (kind === null || kind === "directory" || kind === "submodule" || path.includes("\ufffd")) return null;
    const rawPath = rawPathOfText(path);
    toRead.set(rawPath, { rawPath, path, kind, id, size } satisfies FileToRead);
  }
  return {
    toRead: [...toRead.values()].sort((a, b) => (a.rawPath < b.rawPath ? -1 : 1)),
    extra: (before?.extra ?? []).filter((rawPath) => !toRead.has(rawPath)),
    submodules: before?.submodules ?? [],
  };
}
