/**
 * What the service needs of a repository's history: lists of commits, and how two commits stand to each other.
 * Implemented by `github/`. All of it is asked for by full SHA, so an answer never changes. Lists rest on the host's
 * word; whoever needs a commit's tree asks for the commit itself.
 */
import type { ObjectId } from "../core/git/object-id.ts";
import type { Commit } from "./repository-reader.ts";

/** A commit as a list tells of it. */
export type LoggedCommit = Omit<Commit, "assurance" | "tree">;

/** How `head` stands to `base`. */
export interface Relation {
  /** Commits on head and not on base: `git rev-list --count base..head`. */
  ahead: number;
  /** Commits on base and not on head. */
  behind: number;
  /** The best common ancestor; where git knows several, the one that the host names. */
  mergeBase: ObjectId;
}

/** Most commits of one `log`. */
export const LOG_AT_MOST = 100;

export interface RepositoryHistory {
  /** The newest `count` (1 to 100) commits that a commit leads to, itself first, in `git log`'s order. One request. */
  log(sha: ObjectId, count: number): Promise<LoggedCommit[]>;

  /** Null: the histories have no commit in common. */
  relation(base: ObjectId, head: ObjectId): Promise<Relation | null>;

  /**
   * Commits on head and not on base, newest first, `count` of them from `offset` (0-based). Related histories only.
   * Its length is short only at the end: `relation.ahead` says where that is.
   */
  commitsBetween(base: ObjectId, head: ObjectId, offset: number, count: number): Promise<LoggedCommit[]>;
}
