/**
 * The adapter to GitHub of one isolate: who asks, who counts, who tells news, what it may keep and where, as settings and
 * bindings say; and the routes that belong to it (webhooks, status).
 */

import { requireScope } from "../auth/bearer.ts";
import { callerLimits } from "../auth/caller-limits.ts";
import { kvArchiveStorage } from "../cache/archive/kv-storage.ts";
import { r2ArchiveStorage } from "../cache/archive/r2-storage.ts";
import type { ArchiveStorage } from "../cache/archive/storage.ts";
import { createKvStore } from "../cache/kv-store.ts";
import { MemoryTier } from "../cache/memory-tier.ts";
import type { Config } from "../config.ts";
import type { AppSettings } from "../github/budget/budget-object.ts";
import { appKeyOf } from "../github/credentials/app-key.ts";
import { type Deployment, deployGitHub } from "../github/deployment.ts";
import { createGitHub, type GitHub } from "../github/github.ts";
import { hostStanding } from "../github/host-standing.ts";
import type { NewsFeed } from "../github/news/news-feed.ts";
import { createStatusDesk, type StatusDesk } from "../github/status.ts";
import { createReceiver } from "../github/webhooks/receiver.ts";
import type { StatusSource } from "../http/status-route.ts";
import type { ReceiveWebhook } from "../http/webhook-route.ts";
import type { Clock } from "../ports/clock.ts";
import { newLedger } from "../ports/ledger.ts";
import type { Readiness } from "../ports/readiness.ts";
import { repositoryEntry } from "../schema/registry.ts";
import { VERSION } from "../version.ts";
import type { Bindings } from "./bindings.ts";

/** A bucket where one is bound, else the KV namespace. */
function archiveStorage({ ARCHIVES, OBJECTS }: Bindings): ArchiveStorage | null {
  if (ARCHIVES !== undefined) return r2ArchiveStorage(ARCHIVES, () => crypto.randomUUID());
  return OBJECTS === undefined ? null : kvArchiveStorage(OBJECTS);
}

const requests = ({ apiUrl, timeoutMs }: Config) => ({
  apiUrl,
  timeoutMs,
  fetch: ((input, init) => fetch(input, init)) satisfies typeof fetch,
  userAgent: `gitpin-edge/${VERSION}`,
});

/** What minting an App's tokens needs; null where the service is no App. Throws `invalid_argument` for a key that is none. */
export const appSettings = (config: Config): AppSettings | null =>
  config.app === null
    ? null
    : { ...requests(config), id: config.app.id, privateKey: appKeyOf(config.app.privateKey) };

export interface OpenedGitHub {
  github: GitHub;
  /** Null where there are no webhooks. */
  news: NewsFeed | null;
  webhook: ReceiveWebhook | null;
  status: StatusSource;
  /** Whether GitHub is there, for `/readyz`. */
  standing: Readiness["host"];
  /** Counts an answer's cost into the status. */
  count: StatusDesk["count"];
}

export function openGitHub(config: Config, bindings: Bindings, clock: Clock): OpenedGitHub {
  const deployment = deployGitHub({
    apiUrl: config.apiUrl,
    token: config.token,
    app: appSettings(config),
    clock,
    budgets: bindings.BUDGETS,
    news: bindings.NEWS,
    newsMaxAgeMs: config.newsMaxAgeSeconds * 1000,
    webhookSecrets: config.webhookSecrets,
  });
  const memory = new MemoryTier(config.memoryCacheBytes);
  const news = deployment.news?.feed ?? null;
  const github = createGitHub({
    ...config,
    ...requests(config),
    credentials: deployment.credentials,
    budgets: deployment.budgets,
    ...(news === null ? {} : { news }),
    ...(bindings.OBJECTS === undefined ? {} : { store: createKvStore(bindings.OBJECTS).open }),
    memory,
    archiveStorage: archiveStorage(bindings),
    clock,
  });
  const desk = createStatusDesk({
    version: VERSION,
    apiUrl: config.apiUrl,
    credential: config.app !== null ? "app" : config.token === null ? "none" : "token",
    deployment,
    countedTogether: bindings.BUDGETS !== undefined,
    memory,
    clock,
  });
  return {
    github,
    news,
    webhook: receiverOf(config, bindings, deployment, github),
    status: { admit: (caller) => requireScope(caller, "registry:admin"), read: desk.read },
    standing: hostStanding({
      ...requests(config),
      token: config.token,
      budgets: deployment.budgets,
      clock,
      timeoutMs: Math.min(config.timeoutMs, 3000),
    }),
    count: desk.count,
  };
}

function receiverOf(
  config: Config,
  { ADDRESS_LIMIT }: Bindings,
  deployment: Deployment,
  github: GitHub,
): ReceiveWebhook | null {
  if (deployment.news === null) return null;
  const { home, feed } = deployment.news;
  // A delivery is waited for to its end: nothing lives on after it.
  const alone = () => ({ ledger: newLedger(), background: { keepAlive: () => undefined } });
  return createReceiver({
    secrets: config.webhookSecrets,
    news: home,
    async isPublic({ id, fullName }) {
      const [owner, repo] = fullName.split("/");
      const entry = repositoryEntry.parse({ name: "told", owner, repo, id });
      return (await github.identityNow(entry, alone())).visibility === "public";
    },
    installationsChanged: deployment.installationsChanged,
    refusedFrom: callerLimits(ADDRESS_LIMIT, undefined).address,
    written: () => feed.expire(),
  });
}
