/**
 * What one call cost. A fresh ledger per call is handed down to the adapters, which add to it;
 * transports report it (`x-gitpin-upstream-requests`).
 */
export interface Ledger {
  /** Requests sent to the host for this call, whatever their outcome; a 304 counts too. */
  upstreamRequests: number;
  /** Of these, how many were answered 304. */
  notModified: number;
  /** Objects served from memory or the store. */
  cacheHits: number;
}

export const newLedger = (): Ledger => ({ upstreamRequests: 0, notModified: 0, cacheHits: 0 });
