/**
 * Two teams on one service, as a deployment has them: local clones behind the local host, the Worker in workerd with its
 * registry object. Every repository holds a word of its own, so that a leak shows in whatever form it comes.
 */
import { type LocalHost, startLocalHost } from "../../src/local/host.ts";
import { WRITING_OBJECTS } from "../../src/local/service-options.ts";
import type { TokenIssued } from "../../src/schema/administration.ts";
import type { Scope } from "../../src/schema/teams.ts";
import { GitRepository } from "../repositories/git.ts";
import { ENTITIES_ENTRY, type RunningWorker, startWorker } from "../running-worker.ts";

export const ADMIN_TOKEN = "operators-own-token-0123456789abcdef";

/** Two files, `secret.md` and `secret.py`, one denied file, and a commit that no registered ref leads to. */
export interface Clone {
  repository: GitRepository;
  word: string;
  head: string;
  unreachable: string;
}

function clone(word: string): Clone {
  const repository = new GitRepository(word);
  repository
    .write("secret.md", `# ${word}\n\nThe word is ${word}.\n`)
    .write("secret.py", `def told():\n    return "${word}"\n`)
    .write(".env", `KEY=${word}-denied\n`);
  const head = repository.commit("one");
  repository.git("checkout", "--quiet", "-b", "hidden");
  repository.write("secret.md", `${word}-unreachable\n`);
  const unreachable = repository.commit("hidden");
  repository.git("checkout", "--quiet", "main");
  return { repository, word, head, unreachable };
}

export interface Reply<T = unknown> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

export interface Ask {
  method?: string;
  token?: string | null;
  body?: unknown;
  /** A body that is text, instead. */
  notes?: string;
  headers?: Record<string, string>;
}

/** A page or an image has no JSON: then null. */
const parsed = (text: string, type: string | null): unknown =>
  text === "" || !(type ?? "").endsWith("json") ? null : JSON.parse(text);

/** One request; a fresh connection each, because tests run git synchronously. */
export async function ask<T = unknown>(url: string, path: string, given: Ask = {}): Promise<Reply<T>> {
  const { token = null, body, notes, headers = {} } = given;
  const { method = body === undefined && notes === undefined ? "GET" : "POST" } = given;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      connection: "close",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(notes === undefined ? {} : { body: notes }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: parsed(text, response.headers.get("content-type")) as T,
  };
}

export interface TwoTeams {
  host: LocalHost;
  worker: RunningWorker;
  clones: { open: Clone; blue: Clone; green: Clone; shared: Clone };
  ask<T = unknown>(path: string, given?: Ask): Promise<Reply<T>>;
  /** Issued by the operator. */
  token(team: string, scopes: Scope[], more?: { expiresAt?: string }): Promise<TokenIssued>;
  close(): Promise<void>;
}

export interface TwoTeamsOptions {
  vars?: Readonly<Record<string, string>>;
  rateLimits?: Readonly<Record<string, number>>;
  stateFolder?: string;
  /** With the Worker that parses source. */
  entities?: true;
  /** With all that committing takes, and branch main of every repository open to changes. */
  writes?: true;
}

export const REGISTRY = {
  version: 1,
  repositories: [
    { name: "open", owner: "octo", repo: "open", visibility: "public", allowUnreachable: false },
    // The same name in both teams: two repositories.
    { name: "engine", owner: "blue-inc", repo: "engine", team: "blue" },
    { name: "engine", owner: "green-inc", repo: "engine", team: "green" },
    // The same repository in both teams, under the name each of them chose.
    { name: "common", owner: "octo", repo: "shared", team: "blue" },
    { name: "ours", owner: "octo", repo: "shared", team: "green" },
    { name: "operators", owner: "octo", repo: "shared" },
  ],
};

export const TEAMS = {
  blue: { owners: ["blue-inc"], repositories: ["octo/shared"] },
  green: { owners: ["green-inc"], repositories: ["octo/shared"] },
};

export async function startTwoTeams(options: TwoTeamsOptions = {}): Promise<TwoTeams> {
  const clones = {
    open: clone("openword"),
    blue: clone("blueword"),
    green: clone("greenword"),
    shared: clone("sharedword"),
  };
  const host = await startLocalHost({
    repositories: [
      { owner: "octo", name: "open", path: clones.open.repository.path },
      { owner: "octo", name: "shared", path: clones.shared.repository.path, private: true },
      { owner: "blue-inc", name: "engine", path: clones.blue.repository.path, private: true },
      { owner: "green-inc", name: "engine", path: clones.green.repository.path, private: true },
    ],
    // One credential of the service that opens everything: what may be seen is ours alone to decide.
    tokens: ["the-services-own-credential"],
    writable: options.writes === true,
  });
  const registry = {
    ...REGISTRY,
    repositories: REGISTRY.repositories.map((entry) =>
      options.writes === true ? { ...entry, writable: { branches: ["main"] } } : entry,
    ),
  };
  const worker = await startWorker({
    entry: "src/worker.ts",
    ...(options.entities === true ? { entities: ENTITIES_ENTRY } : {}),
    durableObjects: {
      LIVE_REGISTRY: "RegistryObject",
      ...(options.writes === true ? WRITING_OBJECTS : {}),
    },
    ...(options.rateLimits === undefined ? {} : { rateLimits: options.rateLimits }),
    ...(options.stateFolder === undefined ? {} : { stateFolder: options.stateFolder }),
    vars: {
      PUBLIC_URL: "{url}",
      GITHUB_API_URL: host.url,
      GITHUB_TOKEN: "the-services-own-credential",
      ADMIN_TOKEN,
      TEAMS: JSON.stringify(TEAMS),
      REGISTRY: JSON.stringify(registry),
      REGISTRY_MAX_AGE: "0",
      ...options.vars,
    },
  }).catch(async (cause: unknown) => {
    // A host that is left open would keep the test's process alive.
    await host.close();
    throw cause;
  });
  const asked = <T>(path: string, given?: Ask) => ask<T>(worker.url, path, given);
  return {
    host,
    worker,
    clones,
    ask: asked,
    async token(team, scopes, more = {}) {
      const body = { team, scopes, label: `${team} ${scopes.join(" ")}`, ...more };
      return (await asked<TokenIssued>("/v1/tokens", { token: ADMIN_TOKEN, body })).body;
    },
    async close() {
      await worker.close();
      await host.close();
      for (const { repository } of Object.values(clones)) repository.remove();
    },
  };
}
