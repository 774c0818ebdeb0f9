/** Finds selected files again in an archive. Two names that are not UTF-8 may read alike: then the bytes decide. */
import type { ArchiveFile } from "../../core/archive/archive-file.ts";
import { objectId } from "../../core/git/hash.ts";
import type { SelectedFile } from "./selection.ts";

export function inArchive(files: readonly SelectedFile[]): (file: ArchiveFile) => SelectedFile | null {
  const byPath = new Map<string, SelectedFile[]>();
  for (const file of files) {
    const alike = byPath.get(file.entry.path);
    if (alike === undefined) byPath.set(file.entry.path, [file]);
    else alike.push(file);
  }
  return ({ path, bytes }) => {
    const alike = byPath.get(path) ?? [];
    if (alike.length < 2 || bytes === null) return alike[0] ?? null;
    const id = objectId("blob", bytes);
    return alike.find(({ entry }) => entry.id === id) ?? null;
  };
}
