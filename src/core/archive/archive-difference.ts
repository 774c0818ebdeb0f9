/**
 * Where an archive is not the tree: compares what the archive held with the true recursive listing of the commit.
 * Owns: which paths must be read as blobs, which the archive made up, and which are submodules. Pure.
 * Follows the listing: modes of old trees (100664) count as plain files, as an archive cannot carry them.
 */
import type { ObjectId } from "../git/object-id.ts";
import { kindOfMode, type TreeEntry } from "../git/tree-entry.ts";
import type { FileKind, FileRecord } from "./archive-file.ts";
import { pathText, type RawPath, rawPathOfText } from "./raw-path.ts";

/** A file of the tree that the archive lacks or holds with other bytes. */
export interface FileToRead {
  rawPath: RawPath;
  path: string;
  kind: FileKind;
  id: ObjectId;
  /** Bytes as the listing knows them; null where the host did not tell. */
  size: number | null;
}

export interface ArchiveDifference {
  /** In git's order. */
  toRead: FileToRead[];
  /** Paths of the archive that the tree does not have, in git's order. */
  extra: RawPath[];
  /** Paths of submodules: their content is in another repository and was not searched. */
  submodules: string[];
}

/** `record` of a hashed `CommitArchive`; `listing`: every path of the commit that is no directory. */
export function archiveDifference(
  record: ReadonlyMap<RawPath, FileRecord>,
  listing: readonly TreeEntry[],
): ArchiveDifference {
  const unclaimed = byText(record);
  const unmatched: (TreeEntry & { kind: FileKind })[] = [];
  const submodules: string[] = [];
  for (const entry of listing) {
    const kind = kindOfMode(entry.mode);
    if (kind === "submodule") submodules.push(entry.path);
    if (kind === null || kind === "submodule" || kind === "directory") continue;
    // Names that are not UTF-8 reach us as text with U+FFFD, so several raw paths may claim one listed path.
    const candidates = unclaimed.get(entry.path) ?? [];
    const same = candidates.findIndex((raw) => isSame(record.get(raw), kind, entry.id));
    if (same >= 0) candidates.splice(same, 1);
    else unmatched.push({ ...entry, kind });
  }
  const toRead = unmatched.map(({ path, kind, id, size }): FileToRead => {
    const rawPath = unclaimed.get(path)?.shift();
    return { rawPath: rawPath ?? rawPathOfText(path), path, kind, id, size };
  });
  toRead.sort((a, b) => (a.rawPath < b.rawPath ? -1 : 1));
  return { toRead, extra: [...unclaimed.values()].flat().sort(), submodules };
}

function byText(record: ReadonlyMap<RawPath, FileRecord>): Map<string, RawPath[]> {
  const paths = new Map<string, RawPath[]>();
  for (const raw of record.keys()) {
    const text = pathText(raw);
    const known = paths.get(text);
    if (known === undefined) paths.set(text, [raw]);
    else known.push(raw);
  }
  return paths;
}

const isSame = (file: FileRecord | undefined, kind: FileKind, id: string): boolean =>
  file !== undefined && file.kind === kind && file.id === id;
