/**
 * What the service needs to commit to one hosted repository. Implemented by `github/`; every step may be repeated but the
 * one that moves a ref, and that one moves it only from where the caller says it is.
 * Nothing becomes visible before `advance`, `createBranch` or `firstCommit`. Failures are `GitpinError`s, and say whether the branch may
 * have moved (`leavesOpen`).
 */
import type { ObjectId } from "../core/git/object-id.ts";
import { GitpinError } from "../errors.ts";

export interface CommitFile {
  path: string;
  /** Six octal digits. */
  mode: string;
  bytes: Uint8Array;
  /** Blob id of `bytes`. */
  blob: ObjectId;
}

export interface CommitRequest {
  /** Commit that is planned on, and its root tree. */
  parent: ObjectId;
  parentTree: ObjectId;
  /** Files as they shall stand; all others stay. */
  files: readonly CommitFile[];
  /** Root tree id computed here; the host must make the same. */
  tree: ObjectId;
  /** Whole message, without a final line feed. */
  message: string;
}

/** `raced`: the branch stood elsewhere, so nothing moved. */
export type RefMove = "moved" | "raced";

/** A branch that a new one cannot stand beside, since one's name continues the other's: `a` and `a/b`. Nothing was made. */
export interface BranchInTheWay {
  inTheWay: string;
}

/**
 * Whether an error leaves open if the branch moved. Writers owe this: whatever they throw but `write_unknown` (a rate limit, a rule, a
 * branch that is gone, a host that could not be reached before it was asked to move) means that it did not.
 */
export const leavesOpen = (error: unknown): boolean =>
  !(error instanceof GitpinError) || error.code === "write_unknown";

export interface PullRequestInput {
  title: string;
  body?: string | undefined;
  draft?: boolean | undefined;
  /** Branch names without `refs/heads/`. */
  head: string;
  base: string;
}

export interface PullRequest {
  number: number;
  url: string;
}

export interface RepositoryWriter {
  /**
   * Where a branch stands now: always asked of the host. Null: there is no such branch. Throws `repository_empty` where there is no
   * commit at all.
   */
  tip(branch: string): Promise<ObjectId | null>;

  /**
   * Makes tree and commit: two requests, whatever the number of files. Nothing refers to them yet. Throws
   * `tree_mismatch` where the host makes another tree than was computed here, `write_forbidden` where it lets us not write.
   */
  prepare(request: CommitRequest): Promise<ObjectId>;

  /**
   * Moves a branch from one commit to another, only from there. An outcome that was not told (time-out, cut) is found out by
   * reading the branch. Throws `branch_protected`, `write_forbidden`, `write_unknown` (it cannot be found out).
   */
  advance(branch: string, from: ObjectId, to: ObjectId): Promise<RefMove>;

  /**
   * A branch beside which a new one of this name cannot be made, if it can be found out: reads only, a request for each part of the name.
   * Never throws.
   */
  inTheWayOf(branch: string): Promise<string | null>;

  /** Makes a branch; `raced`: there is one of that name that stands elsewhere. */
  createBranch(branch: string, at: ObjectId): Promise<RefMove | BranchInTheWay>;

  /**
   * The first commit of an empty repository: one file of mode 100644. Null: the repository has commits by now. GitHub compares nothing
   * here: where somebody's first commit came in between and ours landed on it, throws `write_unknown` with `data.commit`.
   */
  firstCommit(file: CommitFile, branch: string, message: string): Promise<ObjectId | null>;

  /**
   * The first commit of a repository that `firstCommit` may have made for a branch: the root of its history, with that tree and message.
   * Null: it was not made. Throws `write_unknown`: with `data.commit` where it landed on somebody else's, without where the history
   * is too long to look through.
   */
  firstLanded(branch: string, tree: ObjectId, message: string): Promise<ObjectId | null>;

  /** Whether a commit is what a branch stands at or came from. Null: no such branch or commit. */
  landed(branch: string, commit: ObjectId): Promise<boolean | null>;

  /** Throws `pull_request_refused`. A pull request that is open already between these branches is given back. */
  openPullRequest(input: PullRequestInput): Promise<PullRequest>;

  /** Tells the caches what was just written, so that reads of it cost nothing and see it at once. Never throws. */
  wrote(branch: string, commit: ObjectId, files: readonly CommitFile[]): void;
}
