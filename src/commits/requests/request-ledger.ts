/**
 * The ledger as who commits sees it, over the objects that keep it: one for each caller, named by team and identity, so that no
 * caller's id, receipt or commit can ever be asked for by another. Turns what the store says into errors that say what to do.
 */
import { GitpinError } from "../../errors.ts";
import type { Caller } from "../../ports/registry.ts";
import type { Intent, RequestLedger } from "../../ports/request-ledger.ts";
import { type Announced, REQUEST_LIMITS, type StoredClaim } from "./request-store.ts";

/** `RequestStore` from outside. */
export interface RequestsHome {
  claim(id: string, digest: string): Promise<StoredClaim>;
  intend(id: string, fence: number, intent: Intent): Promise<Announced>;
  settle(id: string, fence: number, receipt: string): Promise<void>;
  amend(id: string, fence: number, receipt: string): Promise<void>;
  release(id: string, fence: number): Promise<void>;
}

/** `open` gives the requests kept under a name; asked for each call, since a stub of an object belongs to the request that made it. */
export function requestLedger(open: (name: string) => RequestsHome): RequestLedger {
  return {
    async claim(caller, requestId, digest) {
      const claim = await asked(() => open(ledgerName(caller)).claim(requestId, digest));
      if (claim.status === "full") throw full();
      return claim;
    },

    async intend(caller, requestId, fence, intent) {
      const announced = await asked(() => open(ledgerName(caller)).intend(requestId, fence, intent));
      if (announced === "too_much") throw tooMuch();
      return announced === "kept";
    },

    settle: (caller, requestId, fence, receipt) =>
      quietly(() => open(ledgerName(caller)).settle(requestId, fence, receipt)),

    amend: (caller, requestId, fence, receipt) =>
      quietly(() => open(ledgerName(caller)).amend(requestId, fence, receipt)),

    release: (caller, requestId, fence) => quietly(() => open(ledgerName(caller)).release(requestId, fence)),
  };
}

/** Team and id together: neither can be made to look like the other. */
export const ledgerName = ({ team, id }: Caller): string => JSON.stringify([team, id]);

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new GitpinError(
      "requests_unavailable",
      "What became of this request_id could not be asked, so nothing was changed.",
      "Send the same call again in a few seconds.",
      { retryAfterSeconds: 5 },
      { cause },
    );
  }
}

/** The commit stands by now, or nothing was changed. A repeat finds out which, by what was announced, after the claim's lease. */
async function quietly(work: () => Promise<void>): Promise<void> {
  await work().catch(() => undefined);
}

const full = (): GitpinError =>
  new GitpinError(
    "request_ids_full",
    `This caller keeps as many request ids as fit: ${REQUEST_LIMITS.ids} of 30 days, or as much text of receipts.`,
    "Nothing was changed. Call without request_id, or wait: each id is given up 30 days after its call.",
    { most: REQUEST_LIMITS.ids },
  );

const tooMuch = (): GitpinError =>
  new GitpinError(
    "body_too_large",
    "The answers of this call and of its attempts that were cut off are more than is kept for one request_id.",
    "Nothing was changed. Split the call, or send it under a new request_id once kin_status shows what stands on the branch.",
    { limitUnits: REQUEST_LIMITS.announcedUnits, limitAttempts: REQUEST_LIMITS.intents },
  );
