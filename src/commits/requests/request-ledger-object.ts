/**
 * The Durable Object that keeps one caller's requests. Nothing but the shell around `request-store.ts`: storage, transaction, clock,
 * and an alarm by which what is too old goes even if nobody asks any more. Reachable from our Worker alone.
 */
import { DurableObject } from "cloudflare:workers";
import type { Intent } from "../../ports/request-ledger.ts";
import type { RequestsHome } from "./request-ledger.ts";
import { type Announced, RequestStore, type StoredClaim } from "./request-store.ts";

export class RequestLedgerObject extends DurableObject implements RequestsHome {
  readonly #storage: DurableObjectStorage;
  readonly #store: RequestStore;

  constructor(state: DurableObjectState, environment: Cloudflare.Env) {
    super(state, environment);
    const { storage } = state;
    this.#storage = storage;
    this.#store = new RequestStore(storage.sql, (work) => storage.transactionSync(work), {
      now: () => Date.now(),
    });
  }

  async claim(id: string, digest: string): Promise<StoredClaim> {
    const claim = this.#store.claim(id, digest);
    if ((await this.#storage.getAlarm()) === null) await this.#setAlarm();
    return claim;
  }

  async intend(id: string, fence: number, intent: Intent): Promise<Announced> {
    return this.#store.intend(id, fence, intent);
  }

  async settle(id: string, fence: number, receipt: string): Promise<void> {
    this.#store.settle(id, fence, receipt);
  }

  async amend(id: string, fence: number, receipt: string): Promise<void> {
    this.#store.amend(id, fence, receipt);
  }

  async release(id: string, fence: number): Promise<void> {
    this.#store.release(id, fence);
  }

  override async alarm(): Promise<void> {
    this.#store.expire();
    await this.#setAlarm();
  }

  async #setAlarm(): Promise<void> {
    const next = this.#store.nextExpiry();
    if (next !== null) await this.#storage.setAlarm(next);
  }
}
