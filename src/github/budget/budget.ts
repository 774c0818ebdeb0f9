/**
 * Budgets as the client uses them: one for each holder of a credential, reserved from before a request and settled after it.
 * `localBudgets` counts in the memory of this isolate; `object-budgets.ts` in one place for all isolates.
 */
import type { GitpinError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { Buckets, type BudgetView, type Permit } from "./buckets.ts";
import { limitReached, type Priority, type RateResource, type Told } from "./limits.ts";

export interface Budget {
  /**
   * Throws `upstream_rate_limited` instead of letting a request go past a limit. `creates`: it creates content, of which
   * GitHub takes so much a minute and an hour.
   */
  reserve(resource: RateResource, priority: Priority, creates?: boolean): Promise<Permit>;
  /** Gives the error to throw when the answer was a refusal for a limit. At once; what must travel, travels in `keepAlive`. */
  settle(permit: Permit, told: Told, keepAlive: (work: Promise<unknown>) => void): GitpinError | null;
  view(): Promise<BudgetView>;
  /** What isolates tell one another; null where each counts for itself. */
  readonly facts: Facts | null;
}

/** What may change and was asked for with this budget: tips with their ETags, identities. As text, by cache key. */
export interface Facts {
  /** Null: not known, or the place that knows could not be asked. Never throws. */
  recall(key: string): Promise<string | null>;
  /** Best effort; never throws. */
  remember(key: string, value: string): Promise<void>;
}

export interface Budgets {
  /** `holder` names who a credential belongs to, never the credential: `anonymous`, `token:DIGEST`, `installation:ID`. */
  of(holder: string): Budget;
  /** Holders that this isolate has asked for. */
  holders(): string[];
}

export class LocalBudget implements Budget {
  readonly #buckets: Buckets;
  readonly #clock: Clock;
  readonly facts = null;

  constructor(clock: Clock, buckets = new Buckets("isolate")) {
    this.#clock = clock;
    this.#buckets = buckets;
  }

  async reserve(resource: RateResource, priority: Priority, creates = false): Promise<Permit> {
    const now = this.#clock.now();
    const granted = this.#buckets.reserve(resource, priority, now, creates);
    if ("until" in granted) throw limitReached(granted, now);
    return granted;
  }

  settle(permit: Permit, told: Told): GitpinError | null {
    const now = this.#clock.now();
    const limit = this.#buckets.settle(permit, told, now);
    return limit === null ? null : limitReached(limit, now);
  }

  async view(): Promise<BudgetView> {
    return this.#buckets.view(this.#clock.now());
  }
}

/** One of each kind, made when first asked for. */
export function budgetsBy(make: (holder: string) => Budget): Budgets {
  const known = new Map<string, Budget>();
  return {
    of(holder) {
      const budget = known.get(holder) ?? make(holder);
      known.set(holder, budget);
      return budget;
    },
    holders: () => [...known.keys()],
  };
}

export const localBudgets = (clock: Clock): Budgets => budgetsBy(() => new LocalBudget(clock));
