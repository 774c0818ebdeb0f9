/** Work that outlives the answer (cache writes, shared fetches): `ctx.waitUntil` in a Worker. */
export interface Background {
  keepAlive(work: Promise<unknown>): void;
}
