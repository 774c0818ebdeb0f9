/** What is left of the budgets and how well this isolate's caches serve, for `GET /v1/status`. Asks GitHub nothing. */
import type { MemoryTier } from "../cache/memory-tier.ts";
import type { Clock } from "../ports/clock.ts";
import type { ServiceStatus } from "../schema/status.ts";
import type { BudgetView } from "./budget/buckets.ts";
import type { Deployment } from "./deployment.ts";

/** What one answer cost, as its log line has it. */
export interface Cost {
  upstreamRequests: number;
  notModified: number;
  cacheHits: number;
}

export interface StatusOptions {
  version: string;
  apiUrl: string;
  credential: ServiceStatus["github"]["credential"];
  deployment: Deployment;
  countedTogether: boolean;
  memory: MemoryTier;
  clock: Clock;
}

export interface StatusDesk {
  /** Counts an answer in. */
  count(cost: Cost): void;
  read(): Promise<ServiceStatus>;
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const budgetStatus = (holder: string, view: BudgetView): ServiceStatus["github"]["budgets"][number] => ({
  holder,
  buckets: view.buckets.map((bucket) => ({ ...bucket, resetAt: iso(bucket.resetAt) })),
  underWay: view.underWay,
  blockedUntil: iso(view.blockedUntil),
  clockDifferenceMs: view.skewMs,
});

export function createStatusDesk(options: StatusOptions): StatusDesk {
  const { deployment, memory, clock } = options;
  const totals = { calls: 0, upstreamRequests: 0, notModified: 0, cacheHits: 0 };
  // A Worker has no clock while it starts: the first answer counts as its beginning.
  let since: number | null = null;
  return {
    count({ upstreamRequests, notModified, cacheHits }) {
      since ??= clock.now();
      totals.calls += 1;
      totals.upstreamRequests += upstreamRequests;
      totals.notModified += notModified;
      totals.cacheHits += cacheHits;
    },
    async read() {
      const { budgets, news, objectCalls } = deployment;
      const needed = totals.cacheHits + totals.upstreamRequests - totals.notModified;
      return {
        product: "gitpin-edge",
        kind: "status",
        version: options.version,
        github: {
          apiUrl: options.apiUrl,
          credential: options.credential,
          counted: options.countedTogether ? "together" : "per isolate",
          budgets: await Promise.all(
            budgets.holders().map(async (holder) => budgetStatus(holder, await budgets.of(holder).view())),
          ),
        },
        webhooks: news === null ? null : { receivedUpTo: news.feed.position, failures: news.feed.failures },
        isolate: {
          since: new Date(since ?? clock.now()).toISOString(),
          ...totals,
          cacheHitRate: needed === 0 ? null : totals.cacheHits / needed,
          memoryBytes: memory.bytes,
          objectCalls: objectCalls.calls,
          objectFailures: objectCalls.failures,
        },
      };
    },
  };
}
