/**
 * All files of one commit, as a search reads them: in git's order, one at a time, each proven to be what the commit's tree
 * names. Implemented by `github/` over the commit's archive; where the archive is not the tree, blobs stand in for it.
 */
import type { ArchiveFile } from "../core/archive/archive-file.ts";
import type { Assurance } from "./repository-reader.ts";

/**
 * Reads the files, all or only the first of them. It may be called a second time, from the first file on, when the archive
 * turns out to differ from the tree: then only what the second call gives counts. Whoever reads `missing` files says so.
 */
export type FilesReader<T> = (files: AsyncIterable<ArchiveFile>) => Promise<T>;

export interface FilesVisit<T> {
  result: T;
  /** Where the archive came from. */
  from: "host" | "store";
  /** Bytes of the archive as it came, compressed. */
  archiveBytes: number;
  /** `hashed`: the root tree was re-built from the archive, or the listing that mended it was re-hashed. */
  tree: Assurance;
  /** Files whose bytes were read as blobs, because the archive lacks or changes them. */
  replacedFiles: number;
  /** Paths of submodules: their files are in other repositories. */
  submodules: readonly string[];
}

/** What is told while an archive streams. Bytes are compressed ones; `total` is null while nobody knows it. */
export type StreamProgress = (bytes: number, total: number | null) => void;
