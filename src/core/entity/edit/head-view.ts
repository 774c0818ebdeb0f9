/**
 * What planning reads of a repository, all at one commit: the head that is planned on. Implemented above the core.
 * Its answers must not change while one call is planned.
 */
import type { ObjectId } from "../../git/object-id.ts";

export interface FileAtHead {
  /** Six octal digits. */
  mode: string;
  /** Exact bytes; empty for a submodule. */
  bytes: Uint8Array;
}

export interface HeadView {
  /** What stands at a path; null when nothing does. */
  file(path: string): Promise<FileAtHead | null>;
  /** Full paths and modes of what stands right in a directory (the root is the empty path); empty when there is none. */
  directory(path: string): Promise<readonly { path: string; mode: string }[]>;
  /**
   * Tree id of a directory at any commit; null when the commit has no such directory or is not there.
   * Says whether a unit changed since its base was minted.
   */
  directoryId(commit: ObjectId, path: string): Promise<ObjectId | null>;
  /** Full paths of all files named `go.mod`. */
  goModules(): Promise<readonly string[]>;
}
