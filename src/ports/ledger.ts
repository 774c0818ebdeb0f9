/**
 * What one call cost, and what it was about. A fresh ledger per call is handed down; adapters add what they asked for,
 * the service what it opened. Transports report it (`x-gitpin-upstream-requests`, the log line).
 */
export interface Ledger {
  /** Requests sent to the host for this call, whatever their outcome; a 304 counts too. */
  upstreamRequests: number;
  /** Of these, how many were answered 304. */
  notModified: number;
  /** Objects served from memory or the store. */
  cacheHits: number;
  /** Names of the registered repositories that were asked for by name and that the caller may see. */
  readonly repositories: Set<string>;
  /** Full ids of the commits that were asked for. */
  readonly commits: Set<string>;
}

export const newLedger = (): Ledger => ({
  upstreamRequests: 0,
  notModified: 0,
  cacheHits: 0,
  repositories: new Set(),
  commits: new Set(),
});
