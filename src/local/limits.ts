// The limits GitHub documents, in one place so that tests can make them small.
export interface Limits {
  /** Entries of one tree answer before `truncated: true`. */
  treeEntries: number;
  /** Bytes of one tree answer before `truncated: true`. */
  treeBytes: number;
  /** Bytes of a blob that `git/blobs` and raw contents give at most. */
  blobBytes: number;
  /** Bytes of a file that JSON contents carry at most. */
  contentsBytes: number;
  /** What JSON contents say of a bigger file: empty with `encoding: "none"`, or the older 403 `too_large`. */
  largeContents: "none" | "forbidden";
  /** Entries of a directory listing; the rest is cut without a sign. */
  directoryEntries: number;
  /** Commits of a comparison that is not paged. */
  compareCommits: number;
  /** Files of one page of a commit, and of a comparison. */
  files: number;
  /** Files of a commit over all pages. */
  commitFiles: number;
}

export const DEFAULT_LIMITS: Limits = {
  treeEntries: 100_000,
  treeBytes: 7 * 1024 * 1024,
  blobBytes: 100 * 1024 * 1024,
  contentsBytes: 1024 * 1024,
  largeContents: "none",
  directoryEntries: 1_000,
  compareCommits: 250,
  files: 300,
  commitFiles: 3_000,
};
