// A service on one's own machine: `npm start` with PUBLIC_URL set. Owns which settings of the environment reach the Worker: the
// same names as of a deployment, and nothing else of the environment. What is served is registry.json's (or REGISTRY's) to say,
// so repositories named on the command line are refused. Settings are checked here, before anything starts.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../config.ts";
import { GitpinError } from "../errors.ts";
import { checkedPort } from "./port.ts";

/** As `config.ts` has them; a test holds the two together. */
export const SETTINGS = [
  "GITHUB_API_URL",
  "GITHUB_WEB_URL",
  "GITHUB_TOKEN",
  "GITHUB_APP_ID",
  "GITHUB_APP_PRIVATE_KEY",
  "GITHUB_WEBHOOK_SECRET",
  "NEWS_MAX_AGE",
  "PUBLIC_URL",
  "ALLOWED_HOSTS",
  "ALLOWED_ORIGINS",
  "DOCS_URL",
  "ANONYMOUS_ACCESS",
  "ANONYMOUS_WRITES",
  "ADMIN_TOKEN",
  "TEAMS",
  "REGISTRY_MAX_AGE",
  "REGISTRY",
  "HEAD_MAX_AGE",
  "UPSTREAM_TIMEOUT_MS",
  "MAX_BLOB_BYTES",
  "MAX_ARCHIVE_BYTES",
  "ARCHIVE_TTL_DAYS",
  "MEMORY_CACHE_BYTES",
] as const;

export interface ServiceOptions {
  port: number;
  stateFolder: string;
  publicUrl: string;
  vars: Record<string, string>;
}

/** What committing takes. */
export const WRITING_OBJECTS = {
  BRANCH_QUEUES: "BranchQueueObject",
  REQUESTS: "RequestLedgerObject",
} as const;

/** Bindings of wrangler.toml, as far as one machine has them: who limits callers here is the proxy in front. */
export const SERVICE_OBJECTS = {
  LIVE_REGISTRY: "RegistryObject",
  BUDGETS: "BudgetObject",
  NEWS: "NewsObject",
  ...WRITING_OBJECTS,
} as const;

/** Null where PUBLIC_URL is not set: then this is a run for its owner alone. Throws `invalid_argument`. */
export function readServiceOptions(
  args: string[],
  environment: Readonly<Record<string, string | undefined>>,
  checkout: string,
): ServiceOptions | null {
  const set = Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const value = environment[name] ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
  if (set.PUBLIC_URL === undefined) return null;
  const { port, state } = optionsOf(args);
  const number = checkedPort(port);
  // The proxy, and whoever looks after the machine, ask whether it is alive by its own address.
  const hosts = `${set.ALLOWED_HOSTS ?? ""} 127.0.0.1 localhost`.trim();
  const vars = { ...set, ALLOWED_HOSTS: hosts };
  const { publicUrl } = readConfig(vars);
  return { port: number, stateFolder: resolve(state ?? join(checkout, ".state")), publicUrl, vars };
}

function optionsOf(args: string[]): { port: string; state: string | undefined } {
  try {
    const { values } = parseArgs({
      args,
      options: { port: { type: "string", default: "8787" }, state: { type: "string" } },
    });
    return { port: values.port, state: values.state };
  } catch (cause) {
    throw new GitpinError(
      "invalid_argument",
      `PUBLIC_URL is set, so this is a service: ${cause instanceof Error ? cause.message : "its options cannot be read"}`,
      "It takes --port N and --state FOLDER; what it serves stands in registry.json. Without PUBLIC_URL, npm start serves clones to this machine alone.",
    );
  }
}
