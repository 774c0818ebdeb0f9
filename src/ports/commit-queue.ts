/**
 * One queue per branch, so that our own callers never race each other. It saves work; it decides nothing: what makes a
 * commit safe is that a ref only moves from where it was planned on. Implemented by `commits/`.
 */
export interface BranchKey {
  /** The host's numeric id. */
  repositoryId: number;
  /** Without `refs/heads/`. */
  branch: string;
}

export interface CommitQueue {
  /**
   * Runs `work` when its turn comes. A turn ends with its work, or after its lease. Throws `branch_busy` with
   * `data.retryAfterSeconds` where it does not come in time.
   */
  inTurn<T>(branch: BranchKey, work: () => Promise<T>): Promise<T>;
}
