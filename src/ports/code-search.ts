/**
 * The host's own code search, as far as it may be relied on: a source of paths worth reading, never of what stands there.
 * It sees the default branch only, lags behind it, ignores punctuation, leaves out large files and may stop early.
 */
export interface CodeSearchFinding {
  /** Candidates, best first, each once, as many as one page holds. */
  paths: readonly string[];
  /** How many the host says there are. */
  total: number;
  /** The host says that it stopped before it had looked everywhere. */
  stoppedEarly: boolean;
}
