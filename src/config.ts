/**
 * The environment, read and checked once. Owns names, defaults and bounds of every setting.
 * Refuses to start on a bad value, naming the variable; never prints a secret.
 */
import * as z from "zod";
import { GitpinError } from "./errors.ts";
import { type TeamRules, teamRules } from "./schema/teams.ts";

const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(/[\s,]+/)
      .map((item) => item.toLowerCase())
      .filter((item) => item !== ""),
  );
/** Whether only this machine is reached there: tokens may go over plain http. */
export const isLoopback = (url: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

const teams = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "is not JSON" });
      return z.NEVER;
    }
  })
  .pipe(teamRules);

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const settings = z
  .object({
    /** Base URL of the API: api.github.com, `https://HOST/api/v3` of an Enterprise Server, or the local host. */
    GITHUB_API_URL: httpUrl.default("https://api.github.com"),
    /** Base URL of the web pages, for permalinks; derived from the API URL when left out. */
    GITHUB_WEB_URL: z.union([z.literal("none"), httpUrl]).optional(),
    GITHUB_TOKEN: z.string().min(1).optional(),
    /** A GitHub App instead of a token: its id (or client id) and the private key as GitHub hands it out, a PEM. */
    GITHUB_APP_ID: z
      .string()
      .regex(/^[A-Za-z0-9.]{1,40}$/, "the App's id or client id")
      .optional(),
    GITHUB_APP_PRIVATE_KEY: z.string().min(1).optional(),
    /** Secrets of GitHub's webhook, separated by spaces: several while one replaces another. With one there are webhooks. */
    GITHUB_WEBHOOK_SECRET: z
      .string()
      .transform((text) => text.split(/\s+/).filter((secret) => secret !== ""))
      .refine((secrets) => secrets.every((secret) => secret.length >= 16), "16 characters or more each")
      .optional(),
    /** Seconds after which a webhook that another isolate took is known everywhere. */
    NEWS_MAX_AGE: whole(0, 60).default(5),
    /** Where callers reach this service; printed in commands and links, never taken from a request. */
    PUBLIC_URL: httpUrl,
    /** Further Host values that are ours, beside PUBLIC_URL's. */
    ALLOWED_HOSTS: list,
    /** Origins of web pages that may call; none by default. */
    ALLOWED_ORIGINS: list,
    /** Documentation that the landing page links to. */
    DOCS_URL: httpUrl.optional(),
    /** What calls without a token see: nothing (401), the public entries, or all (a loopback PUBLIC_URL only). */
    ANONYMOUS_ACCESS: z.enum(["none", "public", "all"]).default("public"),
    /** 1: calls without a token may also change what the registry opens (a loopback PUBLIC_URL that shows them all only). */
    ANONYMOUS_WRITES: z.enum(["0", "1"]).default("0"),
    /** The operator's own token, a secret of 32 characters or more; with it the registry is live. */
    ADMIN_TOKEN: z
      .string()
      .regex(/^[A-Za-z0-9._~+/-]{32,200}=*$/, "32 to 200 characters that a bearer token may have")
      .optional(),
    /** JSON: team to the owners and repositories it may register. */
    TEAMS: teams.optional(),
    /** Seconds for which calls without a token may see an older live registry. */
    REGISTRY_MAX_AGE: whole(0, 300).default(10),
    /** Registry file as text; the bundled registry.json when left out. The seed, where the registry is live. */
    REGISTRY: z.string().min(1).optional(),
    /** Seconds for which a tip that was asked for counts as HEAD; default 15 with a token or App, 300 without. */
    HEAD_MAX_AGE: whole(0, 86_400).optional(),
    UPSTREAM_TIMEOUT_MS: whole(100, 60_000).default(15_000),
    /** Largest blob that is read, in bytes. An isolate has 128 MB in all. */
    MAX_BLOB_BYTES: whole(1, 104_857_600).default(33_554_432),
    /** Largest archive of a commit that a search streams, in bytes as it comes (compressed). */
    MAX_ARCHIVE_BYTES: whole(1, 2_147_483_648).default(268_435_456),
    /** Days for which archives of commits are kept. */
    ARCHIVE_TTL_DAYS: whole(1, 365).default(30),
    /** Memory for checked objects per isolate, in bytes. */
    MEMORY_CACHE_BYTES: whole(0, 100_000_000).default(33_554_432),
  })
  .refine((set) => (set.GITHUB_APP_ID === undefined) === (set.GITHUB_APP_PRIVATE_KEY === undefined), {
    path: ["GITHUB_APP_ID"],
    message: "GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY belong together",
  })
  .refine((set) => set.GITHUB_APP_ID === undefined || set.GITHUB_TOKEN === undefined, {
    path: ["GITHUB_TOKEN"],
    message: "GITHUB_TOKEN and GITHUB_APP_ID exclude each other",
  })
  .refine((set) => set.ANONYMOUS_ACCESS !== "all" || isLoopback(set.PUBLIC_URL), {
    path: ["ANONYMOUS_ACCESS"],
    message: "all is for a service that only this machine can reach (a loopback PUBLIC_URL)",
  })
  .refine(
    (set) => set.ANONYMOUS_WRITES !== "1" || (set.ANONYMOUS_ACCESS === "all" && isLoopback(set.PUBLIC_URL)),
    {
      path: ["ANONYMOUS_WRITES"],
      message:
        "1 is for a service that only this machine can reach (a loopback PUBLIC_URL), with ANONYMOUS_ACCESS=all",
    },
  );

export interface Config {
  apiUrl: string;
  /** Null where the host has no pages. */
  webUrl: string | null;
  token: string | null;
  /** `privateKey` as it was given. */
  app: { id: string; privateKey: string } | null;
  webhookSecrets: readonly string[];
  newsMaxAgeSeconds: number;
  publicUrl: string;
  hosts: readonly string[];
  origins: readonly string[];
  docsUrl: string | null;
  anonymous: "none" | "public" | "all";
  anonymousWrites: boolean;
  adminToken: string | null;
  teams: TeamRules;
  /** Whether tokens and a live registry are wanted: ADMIN_TOKEN or TEAMS is set. */
  live: boolean;
  registryMaxAgeSeconds: number;
  registryText: string | null;
  headMaxAgeSeconds: number;
  timeoutMs: number;
  maxBlobBytes: number;
  memoryCacheBytes: number;
  maxArchiveBytes: number;
  archiveTtlDays: number;
}

/** `https://api.github.com` -> `https://github.com`; `https://host/api/v3` -> `https://host`. */
function webUrlOf(apiUrl: string): string {
  const url = new URL(apiUrl);
  if (url.hostname === "api.github.com") return "https://github.com";
  return apiUrl.replace(/\/api\/v3$/, "");
}

/** Throws `invalid_argument` naming each variable that is wrong; values are not shown, they may be secrets. */
export function readConfig(environment: Record<string, unknown>): Config {
  const checked = settings.safeParse(environment);
  if (!checked.success) {
    const faults = checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new GitpinError(
      "invalid_argument",
      `The configuration is not valid: ${faults.join("; ")}.`,
      "Correct the named variables; docs/reference/configuration.md lists them all.",
      { field: checked.error.issues[0]?.path.join(".") ?? "", faults },
    );
  }
  const set = checked.data;
  const token = set.GITHUB_TOKEN ?? null;
  return {
    apiUrl: set.GITHUB_API_URL,
    webUrl: set.GITHUB_WEB_URL === "none" ? null : (set.GITHUB_WEB_URL ?? webUrlOf(set.GITHUB_API_URL)),
    token,
    app:
      set.GITHUB_APP_ID === undefined || set.GITHUB_APP_PRIVATE_KEY === undefined
        ? null
        : { id: set.GITHUB_APP_ID, privateKey: set.GITHUB_APP_PRIVATE_KEY },
    webhookSecrets: set.GITHUB_WEBHOOK_SECRET ?? [],
    newsMaxAgeSeconds: set.NEWS_MAX_AGE,
    publicUrl: set.PUBLIC_URL,
    hosts: [new URL(set.PUBLIC_URL).host, ...set.ALLOWED_HOSTS],
    origins: [new URL(set.PUBLIC_URL).origin, ...set.ALLOWED_ORIGINS],
    docsUrl: set.DOCS_URL ?? null,
    anonymous: set.ANONYMOUS_ACCESS,
    anonymousWrites: set.ANONYMOUS_WRITES === "1",
    adminToken: set.ADMIN_TOKEN ?? null,
    teams: set.TEAMS ?? {},
    live: set.ADMIN_TOKEN !== undefined || set.TEAMS !== undefined,
    registryMaxAgeSeconds: set.REGISTRY_MAX_AGE,
    registryText: set.REGISTRY ?? null,
    headMaxAgeSeconds: set.HEAD_MAX_AGE ?? (token === null && set.GITHUB_APP_ID === undefined ? 300 : 15),
    timeoutMs: set.UPSTREAM_TIMEOUT_MS,
    maxBlobBytes: set.MAX_BLOB_BYTES,
    memoryCacheBytes: set.MEMORY_CACHE_BYTES,
    maxArchiveBytes: set.MAX_ARCHIVE_BYTES,
    archiveTtlDays: set.ARCHIVE_TTL_DAYS,
  };
}
