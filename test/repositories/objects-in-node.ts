/**
 * The Durable Objects of the GitHub adapter over Node's SQLite, for tests that move the clock: the same stores, the same SQL, arguments
 * and answers cloned as they are between isolates. The objects themselves run in `test/upstream/`.
 */
import { LocalBudget } from "../../src/github/budget/budget.ts";
import { BudgetStore } from "../../src/github/budget/budget-store.ts";
import { type ObjectStub, outcomeOf } from "../../src/github/budget/crossing.ts";
import { AppTokens, type AppTokensOptions } from "../../src/github/credentials/app-tokens.ts";
import type { Access } from "../../src/github/credentials/credentials.ts";
import { NewsStore } from "../../src/github/news/news-store.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { sqliteInNode } from "../support/sqlite-in-node.ts";

export interface ObjectsInNode {
  /** As a binding gives them. */
  getByName(name: string): ObjectStub;
  /** Operations that were called, as `name operation`. */
  calls: string[];
  /** While set, no object can be reached. */
  failing: { on: boolean };
}

type Operations = Record<string, (...given: never[]) => unknown>;

function objects(make: (name: string) => Operations): ObjectsInNode {
  const known = new Map<string, Operations>();
  const calls: string[] = [];
  const failing = { on: false };
  return {
    calls,
    failing,
    getByName(name) {
      const operations = known.get(name) ?? make(name);
      known.set(name, operations);
      return {
        async call(operation, args) {
          calls.push(`${name} ${operation}`);
          if (failing.on) throw new Error("Durable Object is overloaded");
          const run = operations[operation] as (...given: readonly unknown[]) => unknown;
          return structuredClone(await outcomeOf(() => run.apply(operations, structuredClone([...args]))));
        },
      };
    },
  };
}

/** The budget objects. `app`: what the App's own object mints with. */
export const budgetObjects = (
  clock: Clock,
  app?: Omit<AppTokensOptions, "budget" | "facts" | "clock">,
): ObjectsInNode =>
  objects(() => {
    const store = new BudgetStore(sqliteInNode().sql, clock);
    const background = { keepAlive: () => undefined };
    const tokens =
      app === undefined
        ? null
        : new AppTokens({
            ...app,
            clock,
            budget: new LocalBudget(clock),
            facts: {
              recall: async (key) => store.recall(key),
              remember: async (key, value) => store.remember(key, value),
            },
          });
    return {
      reserve: store.reserve.bind(store),
      settle: store.settle.bind(store),
      view: store.view.bind(store),
      recall: store.recall.bind(store),
      remember: store.remember.bind(store),
      installation: (address: string) => tokens?.installation(address, background),
      token: (id: number, refused: string | null, access: Access) =>
        tokens?.token(id, refused, access, background),
      forgetInstallations: () => tokens?.forgetInstallations(),
    };
  });

/** The news object. */
export const newsObjects = (clock: Clock): ObjectsInNode =>
  objects(() => {
    const { sql, transaction } = sqliteInNode();
    const store = new NewsStore(sql, transaction, clock);
    return {
      taken: store.taken.bind(store),
      take: store.take.bind(store),
      since: store.since.bind(store),
      position: store.position.bind(store),
    };
  });
