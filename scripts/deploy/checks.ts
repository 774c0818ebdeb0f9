/**
 * What must be true of a configuration before it is deployed. Owns the list of faults, each with what to do about it. Reads what it
 * is given: wrangler's configuration, the name of an environment, the registry. Follows wrangler's rule that an environment
 * inherits neither variables nor bindings.
 */
import * as z from "zod";
import { isLoopback, readConfig } from "../../src/config.ts";
import { asGitpinError } from "../../src/errors.ts";
import { checkRegistry } from "../../src/registry/parse-registry.ts";

const part = z.looseObject({
  name: z.string().optional(),
  vars: z.record(z.string(), z.unknown()).optional(),
  kv_namespaces: z.array(z.looseObject({ binding: z.string(), id: z.string().optional() })).optional(),
  durable_objects: z
    .object({ bindings: z.array(z.looseObject({ name: z.string(), class_name: z.string() })) })
    .optional(),
  migrations: z
    .array(z.looseObject({ tag: z.string(), new_sqlite_classes: z.array(z.string()).optional() }))
    .optional(),
  ratelimits: z.array(z.looseObject({ name: z.string() })).optional(),
});

const configuration = part.extend({ env: z.record(z.string(), part).optional() });
type Part = z.infer<typeof part>;

/** Settings that belong into `wrangler secret put`: what stands in a file is in every clone of it. */
const SECRETS = ["GITHUB_TOKEN", "GITHUB_APP_PRIVATE_KEY", "GITHUB_WEBHOOK_SECRET", "ADMIN_TOKEN"];
/** What a secret may look like, where only the rest of the settings is to be checked. */
const STAND_IN = "x".repeat(32);
const OBJECT_CLASSES: Record<string, string> = {
  LIVE_REGISTRY: "RegistryObject",
  BUDGETS: "BudgetObject",
  NEWS: "NewsObject",
  BRANCH_QUEUES: "BranchQueueObject",
  REQUESTS: "RequestLedgerObject",
};
const RATE_LIMITS = ["ADDRESS_LIMIT", "TOKEN_LIMIT"];

const isExample = (url: string): boolean =>
  /(^|\.)(example(\.(com|net|org))?|invalid|test)$/.test(new URL(url).hostname);

export interface Checked {
  /** Each says what is wrong and what to do. Empty: it may be deployed. */
  faults: string[];
  /** What may be meant so. */
  notes: string[];
  /** Where the deployment will be reached; null where that is one of the faults. */
  publicUrl: string | null;
}

/** `environment`: the name after `--env`, or null for the top of the file. `registry`: registry.json, parsed. */
export function checkDeployment(given: unknown, environment: string | null, registry: unknown): Checked {
  const read = configuration.safeParse(given);
  if (!read.success) {
    const where = read.error.issues.map((issue) => issue.path.join(".")).join(", ");
    return { faults: [`wrangler.toml is not of wrangler's form: ${where}.`], notes: [], publicUrl: null };
  }
  const { env = {}, ...top } = read.data;
  const chosen = environment === null ? top : env[environment];
  if (chosen === undefined) {
    const known = Object.keys(env).join(", ") || "none";
    const fault = `wrangler.toml has no [env.${environment}] (there is: ${known}). Add it, or leave --env out.`;
    return { faults: [fault], notes: [], publicUrl: null };
  }
  const vars = chosen.vars ?? {};
  return {
    faults: [
      ...urlFaults(vars),
      ...settingFaults(vars),
      ...kvFaults(chosen),
      ...objectFaults(chosen, chosen.migrations ?? top.migrations ?? []),
      ...limitFaults(chosen),
      ...registryFaults(vars, registry),
    ],
    notes: registryNotes(vars, registry),
    publicUrl: z.url().safeParse(vars.PUBLIC_URL).data ?? null,
  };
}

function urlFaults({ PUBLIC_URL: value }: Record<string, unknown>): string[] {
  const { data: url } = z.url().safeParse(value);
  if (url === undefined)
    return ["PUBLIC_URL is not set. Set it in [vars] to where callers will reach the service."];
  if (isExample(url))
    return [`PUBLIC_URL is still the example ${url}. Set it to where callers will reach the service.`];
  if (isLoopback(url)) return [`PUBLIC_URL is ${url}, which only this machine reaches.`];
  return new URL(url).protocol === "https:"
    ? []
    : [`PUBLIC_URL is ${url}: tokens would travel in the open. Use https.`];
}

function settingFaults(vars: Record<string, unknown>): string[] {
  const open = SECRETS.filter((name) => name in vars);
  const faults = open.map(
    (name) =>
      `${name} stands in [vars], where everybody with the file reads it. Take it out, replace it, and run: npx wrangler secret put ${name}`,
  );
  const secret = vars.GITHUB_APP_ID === undefined ? [] : ["GITHUB_APP_PRIVATE_KEY"];
  // PUBLIC_URL has checks of its own.
  const settings = { ...vars, PUBLIC_URL: "https://unset.invalid" };
  try {
    readConfig({ ...settings, ...Object.fromEntries(secret.map((name) => [name, STAND_IN])) });
  } catch (thrown) {
    faults.push(asGitpinError(thrown).message);
  }
  return faults;
}

function kvFaults({ kv_namespaces: namespaces = [] }: Part): string[] {
  const id = namespaces.find(({ binding }) => binding === "OBJECTS")?.id;
  const how = "Run: npx wrangler kv namespace create OBJECTS, and set the id that it prints.";
  if (id === undefined) return [`There is no KV namespace bound as OBJECTS with an id. ${how}`];
  if (!/^[0-9a-f]{32}$/.test(id) || /^0{20}/.test(id))
    return [`The KV namespace's id ${id} is a placeholder. ${how}`];
  return [];
}

function objectFaults(
  { durable_objects: objects }: Part,
  migrations: NonNullable<Part["migrations"]>,
): string[] {
  const made = new Set(migrations.flatMap(({ new_sqlite_classes: classes = [] }) => classes));
  return Object.entries(OBJECT_CLASSES).flatMap(([name, className]) => {
    const bound = objects?.bindings.find((binding) => binding.name === name);
    if (bound?.class_name !== className)
      return [
        `The Durable Object class ${className} is not bound as ${name}. Copy the binding from the top of wrangler.toml.`,
      ];
    return made.has(className)
      ? []
      : [`No migration makes the class ${className}. Copy the migrations from the top of wrangler.toml.`];
  });
}

const limitFaults = ({ ratelimits = [] }: Part): string[] =>
  RATE_LIMITS.filter((name) => !ratelimits.some((limit) => limit.name === name)).map(
    (name) =>
      `There is no rate limit ${name}, so one caller could use up everything. Copy it from the top of wrangler.toml.`,
  );

/** What the registry is deployed as, unless the variables hold one. */
function registryFaults(vars: Record<string, unknown>, registry: unknown): string[] {
  if (vars.REGISTRY !== undefined) return [];
  try {
    checkRegistry(registry);
    return [];
  } catch (thrown) {
    return [asGitpinError(thrown).message];
  }
}

const EMPTY = z.looseObject({ repositories: z.array(z.unknown()).length(0) });

function registryNotes(vars: Record<string, unknown>, registry: unknown): string[] {
  if (vars.REGISTRY !== undefined || vars.TEAMS !== undefined || !EMPTY.safeParse(registry).success)
    return [];
  return [
    "registry.json names no repository: there is nothing to ask about until one is registered (with ADMIN_TOKEN, by gitpin registry).",
  ];
}
