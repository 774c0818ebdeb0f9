/**
 * Budgets that one Durable Object for each holder counts, for all isolates together: one call before each request to GitHub that
 * is waited for, one after it that is not. When the object cannot be asked, this isolate goes by what it has seen itself.
 */
import { asGitpinError, type GitpinError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { BudgetView, Permit } from "./buckets.ts";
import { type Budget, type Budgets, budgetsBy, type Facts, LocalBudget } from "./budget.ts";
import type { BudgetStore } from "./budget-store.ts";
import { type Crossing, crossing, type ObjectStub } from "./crossing.ts";
import type { Priority, RateResource, Told } from "./limits.ts";

/** Calls of the objects since this isolate started. */
export interface ObjectCalls {
  calls: number;
  failures: number;
}

class ObjectBudget implements Budget {
  readonly facts: Facts;
  readonly #home: Crossing<BudgetStore>;
  readonly #local: LocalBudget;
  readonly #count: ObjectCalls;

  constructor(home: Crossing<BudgetStore>, clock: Clock, count: ObjectCalls) {
    this.#home = home;
    this.#local = new LocalBudget(clock);
    this.#count = count;
    this.facts = {
      recall: async (key) => (await this.#asked(() => home.recall(key))) ?? null,
      remember: async (key, value) => void (await this.#asked(() => home.remember(key, value))),
    };
  }

  async reserve(resource: RateResource, priority: Priority, creates = false): Promise<Permit> {
    const permit = await this.#asked(() => this.#home.reserve(resource, priority, creates));
    return permit ?? this.#local.reserve(resource, priority, creates);
  }

  settle(permit: Permit, told: Told, keepAlive: (work: Promise<unknown>) => void): GitpinError | null {
    keepAlive(this.#asked(() => this.#home.settle(permit, told)));
    return this.#local.settle(permit, told);
  }

  async view(): Promise<BudgetView> {
    return (await this.#asked(() => this.#home.view())) ?? this.#local.view();
  }

  /** Null: the object could not be asked. Throws what the object decided. */
  async #asked<T>(work: () => Promise<T>): Promise<T | null> {
    this.#count.calls += 1;
    try {
      return await work();
    } catch (thrown) {
      const error = asGitpinError(thrown);
      if (error.code !== "internal") throw error;
      this.#count.failures += 1;
      return null;
    }
  }
}

/** `open` gives the object of a holder. */
export function objectBudgets(
  open: (holder: string) => ObjectStub,
  clock: Clock,
  count: ObjectCalls,
): Budgets {
  return budgetsBy(
    (holder) =>
      new ObjectBudget(
        crossing<BudgetStore>(() => open(holder)),
        clock,
        count,
      ),
  );
}
