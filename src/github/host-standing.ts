/**
 * Whether GitHub can be reached and leaves us requests, for `/readyz`. Asks `GET /rate_limit`, which costs nothing of the hourly
 * budget, at most once in `maxAgeMs` and isolate, whoever asks and however often. Tells nothing of what GitHub answered.
 */
import * as z from "zod";
import type { Key } from "../cache/keys.ts";
import { SingleFlight } from "../cache/single-flight.ts";
import type { Clock } from "../ports/clock.ts";
import { newLedger } from "../ports/ledger.ts";
import type { HostStanding, Readiness } from "../ports/readiness.ts";
import type { BudgetView } from "./budget/buckets.ts";
import type { Budgets } from "./budget/budget.ts";
import { unexpected } from "./failure.ts";
import { API_VERSION, JSON_TYPE } from "./sending.ts";
import { exchangeOnce, type Received, Refusal } from "./transport.ts";

export interface HostStandingOptions {
  apiUrl: string;
  /** A token of a person; null for none, and for an App, whose tokens belong to installations. */
  token: string | null;
  fetch: typeof fetch;
  userAgent: string;
  budgets: Budgets;
  clock: Clock;
  /** Default 5000. */
  maxAgeMs?: number;
  /** Default 3000: who asks whether a service is ready does not wait long. */
  timeoutMs?: number;
}

const told = z.object({ resources: z.object({ core: z.object({ remaining: z.number() }) }) });
const ANSWER_BYTES_AT_MOST = 65_536;
const FLIGHT = "host-standing" as Key<HostStanding>;

const isSpent = ({ buckets, blockedUntil }: BudgetView): boolean =>
  blockedUntil !== null || buckets.some(({ resource, remaining }) => resource === "core" && remaining <= 0);

/** What is left by GitHub's own word; null where it tells none (a server without limits, or an answer to nobody in particular). */
function remainingOf({ status, body }: Received): number | null {
  if (status !== 200) return null;
  try {
    return told.parse(JSON.parse(new TextDecoder().decode(body))).resources.core.remaining;
  } catch {
    return null;
  }
}

export function hostStanding(options: HostStandingOptions): Readiness["host"] {
  const { apiUrl, token, budgets, clock, maxAgeMs = 5000, timeoutMs = 3000 } = options;
  const flights = new SingleFlight(timeoutMs + 1000);
  let known: { standing: HostStanding; at: number } | null = null;

  async function reach(): Promise<Received | null> {
    const what = "its rate limits";
    const excess = () => unexpected(what, "it is larger than any such answer");
    const exchange = { fetch: options.fetch, ledger: newLedger(), timeoutMs, excess, what };
    const headers = {
      accept: JSON_TYPE,
      "user-agent": options.userAgent,
      "x-github-api-version": API_VERSION,
      ...(token === null ? {} : { authorization: `token ${token}` }),
    };
    try {
      const init = { method: "GET", headers };
      const limits = { ...exchange, maxBytes: ANSWER_BYTES_AT_MOST };
      const received = await exchangeOnce(limits, `${apiUrl}/rate_limit`, init);
      return received.status >= 500 ? null : received;
    } catch (thrown) {
      // A network failure is the runtime's own error: whatever it is, GitHub was not reached.
      if (thrown instanceof Refusal || thrown instanceof Error) return null;
      throw thrown;
    }
  }

  async function budgetOf(received: Received | null): Promise<HostStanding["budget"]> {
    // An anonymous answer tells of an anonymous budget, which is ours only where there is no App.
    const holders = budgets.holders();
    const views = await Promise.all(holders.map((holder) => budgets.of(holder).view()));
    if (views.length > 0 && views.every(isSpent)) return "spent";
    const own = holders.every((holder) => holder === "anonymous" || holder.startsWith("token:"));
    const remaining = own && received !== null ? remainingOf(received) : null;
    if (remaining !== null) return remaining > 0 ? "ok" : "spent";
    return views.length > 0 || received?.status === 404 ? "ok" : "unknown";
  }

  async function ask(): Promise<HostStanding> {
    const at = clock.now();
    const received = await reach();
    const refused = received?.status === 401;
    const standing: HostStanding = {
      github: received === null ? "unreachable" : refused ? "unauthorized" : "ok",
      budget: await budgetOf(received),
      checkedAt: new Date(at).toISOString(),
    };
    known = { standing, at };
    return standing;
  }

  return async (background) =>
    known !== null && clock.now() - known.at < maxAgeMs
      ? known.standing
      : await flights.run(FLIGHT, background, ask);
}
