/**
 * The adapter's parts that a deployment chooses: who asks GitHub, who counts, who tells news. Durable Objects where they are
 * bound, this isolate's memory where they are not. Reads no environment: settings and bindings are handed in.
 */
import { GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { type Budgets, localBudgets } from "./budget/budget.ts";
import type { AppOperations, AppSettings } from "./budget/budget-object.ts";
import { type Crossing, crossing, type ObjectStub } from "./budget/crossing.ts";
import { type ObjectCalls, objectBudgets } from "./budget/object-budgets.ts";
import { appCredentials, type TokenKeeper } from "./credentials/app-credentials.ts";
import { AppTokens } from "./credentials/app-tokens.ts";
import { type Credentials, fixedCredentials } from "./credentials/credentials.ts";
import { NewsFeed } from "./news/news-feed.ts";
import type { NewsStore } from "./news/news-store.ts";

/** The part of a Durable Object namespace that is used. */
export interface Objects {
  getByName(name: string): unknown;
}

export interface DeploymentOptions {
  apiUrl: string;
  token: string | null;
  app: AppSettings | null;
  clock: Clock;
  /** Of class `BudgetObject`. */
  budgets: Objects | undefined;
  /** Of class `NewsObject`. */
  news: Objects | undefined;
  newsMaxAgeMs: number;
  webhookSecrets: readonly string[];
}

export interface Deployment {
  credentials: Credentials;
  budgets: Budgets;
  /** Null where there are no webhooks. */
  news: { feed: NewsFeed; home: Crossing<NewsStore> } | null;
  objectCalls: Readonly<ObjectCalls>;
  installationsChanged(): Promise<void>;
}

const NEWS_OBJECT_NAME = "news";

export function deployGitHub(options: DeploymentOptions): Deployment {
  const { apiUrl, clock, app, budgets: objects } = options;
  const objectCalls: ObjectCalls = { calls: 0, failures: 0 };
  const host = new URL(apiUrl).host;
  // An object of another API host counts another host's limits.
  const objectOf = (all: Objects, name: string): ObjectStub => all.getByName(`${host} ${name}`) as ObjectStub;
  const budgets =
    objects === undefined
      ? localBudgets(clock)
      : objectBudgets((holder) => objectOf(objects, holder), clock, objectCalls);

  let installationsChanged = async (): Promise<void> => undefined;
  const keeperOf = (settings: AppSettings): TokenKeeper => {
    const name = `app:${settings.id}`;
    if (objects === undefined) {
      const tokens = new AppTokens({ ...settings, clock, budget: budgets.of(name), facts: null });
      installationsChanged = async () => tokens.forgetInstallations();
      return tokens;
    }
    const home = crossing<AppOperations>(() => objectOf(objects, name));
    installationsChanged = () => home.forgetInstallations();
    return {
      installation: (address) => home.installation(address),
      token: (installation, refused, access) => home.token(installation, refused, access),
    };
  };

  return {
    credentials:
      app === null ? fixedCredentials(options.token) : appCredentials(app.id, keeperOf(app), clock),
    budgets,
    news: newsOf(options),
    objectCalls,
    installationsChanged: () => installationsChanged(),
  };
}

function newsOf({ news, webhookSecrets, clock, newsMaxAgeMs }: DeploymentOptions): Deployment["news"] {
  if (webhookSecrets.length === 0) return null;
  if (news === undefined) {
    throw new GitpinError(
      "invalid_argument",
      "GITHUB_WEBHOOK_SECRET is set, and there is no binding NEWS.",
      "Bind the Durable Object class NewsObject as NEWS (see wrangler.toml).",
      { field: "NEWS" },
    );
  }
  const home = crossing<NewsStore>(() => news.getByName(NEWS_OBJECT_NAME) as ObjectStub);
  return { home, feed: new NewsFeed(home, clock, newsMaxAgeMs) };
}
