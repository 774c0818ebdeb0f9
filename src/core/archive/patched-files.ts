/**
 * The files of a commit where its archive differs from its tree: the archive's own, with every differing one replaced
 * by its blob and every made-up one left out, still in git's order and still one at a time.
 * Refuses silence: a blob that is not read (too many, too large) comes as a file with `missing` set.
 */
import { GitpinError } from "../../errors.ts";
import type { ObjectId } from "../git/object-id.ts";
import type { ArchiveDifference, FileToRead } from "./archive-difference.ts";
import { type ArchiveFile, heldFile } from "./archive-file.ts";

export interface BlobSource {
  /** Bytes that hash to the id; throws `blob_too_large` above its bound. */
  read(id: ObjectId): Promise<Uint8Array>;
  /** Most blobs to read; the rest come as missing. */
  maxReads: number;
}

export async function* patchedFiles(
  archive: AsyncIterable<ArchiveFile>,
  difference: ArchiveDifference,
  blobs: BlobSource,
): AsyncGenerator<ArchiveFile> {
  const dropped = new Set(difference.extra);
  const waiting = difference.toRead;
  const total = waiting.length;
  let at = 0;
  const replacement = (file: FileToRead): Promise<ArchiveFile> =>
    at <= blobs.maxReads
      ? readFile(file, blobs)
      : Promise.resolve(
          missingFile(
            file,
            `${total} files of this commit differ from its archive, more than the ${blobs.maxReads} that are read`,
          ),
        );
  for await (const file of archive) {
    for (let next = waiting[at]; next !== undefined && next.rawPath < file.rawPath; next = waiting[at]) {
      at++;
      yield await replacement(next);
    }
    const next = waiting[at];
    if (next?.rawPath === file.rawPath) {
      at++;
      yield await replacement(next);
    } else if (!dropped.has(file.rawPath)) {
      yield file;
    }
  }
  for (let next = waiting[at]; next !== undefined; next = waiting[at]) {
    at++;
    yield await replacement(next);
  }
}

async function readFile(file: FileToRead, blobs: BlobSource): Promise<ArchiveFile> {
  try {
    return heldFile({ rawPath: file.rawPath, path: file.path, kind: file.kind }, await blobs.read(file.id));
  } catch (error) {
    if (!(error instanceof GitpinError) || error.code !== "blob_too_large") throw error;
    return missingFile(file, "its blob is larger than this service reads");
  }
}

function missingFile(file: FileToRead, why: string): ArchiveFile {
  return {
    rawPath: file.rawPath,
    path: file.path,
    kind: file.kind,
    size: file.size ?? 0,
    bytes: null,
    pieces() {
      throw new Error(`The content of this file is missing: ${why}.`);
    },
    missing: why,
  };
}
