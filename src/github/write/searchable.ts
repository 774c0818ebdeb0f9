/**
 * That a commit made here can be searched at once: it stands on the stored archive of the commit it was made from, and the files it
 * wrote are read as blobs in their stead. Asks the host nothing; without a stored archive, or after too many changes, nothing is kept
 * and the next search fetches the archive.
 */
import type { ArchiveStore } from "../../cache/archive/archive-store.ts";
import { archiveKey } from "../../cache/keys.ts";
import { differenceAfter } from "../../core/archive/difference-after.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { CommitFile } from "../../ports/repository-writer.ts";
import { REPLACED_AT_MOST } from "../commit-files.ts";
import type { Repository } from "../repository.ts";

export interface Made {
  parent: ObjectId;
  commit: ObjectId;
  files: readonly CommitFile[];
}

export function keepSearchable(
  { keys, tiers }: Repository,
  archives: ArchiveStore,
  { parent, commit, files }: Made,
): void {
  const written = files.map(({ path, mode, blob, bytes }) => ({
    path,
    mode,
    id: blob,
    size: bytes.byteLength,
  }));
  const derived = archives.derive(archiveKey(keys, parent), archiveKey(keys, commit), (before) => {
    const after = differenceAfter(before, written);
    if (after === null || after.toRead.length > REPLACED_AT_MOST.files) return null;
    const bytes = after.toRead.reduce((sum, { size }) => sum + (size ?? Number.POSITIVE_INFINITY), 0);
    return bytes > REPLACED_AT_MOST.bytes ? null : { ...after, tree: before?.tree ?? "hashed" };
  });
  tiers.background.keepAlive(Promise.allSettled([derived]));
}
