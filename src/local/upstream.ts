// Where a local run gets its answers from, as the Worker's own variables: the local host over clones, or github.com with
// the caller's own token. Configuration goes in as in production. With `--write` the Worker alone may write to the local
// host: by a token made for this run.
import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { GitpinError } from "../errors.ts";
import { branchesOf } from "./clone-folder.ts";
import { idOfPath } from "./directory.ts";
import { type LocalHost, startLocalHost } from "./host.ts";
import type { StartOptions } from "./start-options.ts";

const OWNER = "local";

export interface Upstream {
  vars: Record<string, string>;
  /** Null for github.com. */
  host: LocalHost | null;
}

/** `port` is where the Worker will listen. `tell`: hears in a line what its owner must know meanwhile. Throws `invalid_argument`. */
export async function startUpstream(
  options: StartOptions,
  port: number,
  tell: (line: string) => void = console.error,
): Promise<Upstream> {
  const common = {
    ALLOWED_HOSTS: `localhost:${port}`,
    ALLOWED_ORIGINS: `http://localhost:${port}`,
    // Only this machine can reach it, so its owner sees all that is registered.
    ANONYMOUS_ACCESS: "all",
    ...(options.write && { ANONYMOUS_WRITES: "1" }),
    REGISTRY: registryOf(options),
  };
  if (options.github.length > 0) {
    const vars = githubVars(process.env);
    if (options.write && vars.GITHUB_TOKEN === undefined) {
      throw new GitpinError(
        "invalid_argument",
        "--write needs a token of github.com.",
        "Set GITHUB_TOKEN to one that may write contents there, or leave --write out.",
      );
    }
    return { vars: { ...common, ...vars }, host: null };
  }
  const token = randomBytes(32).toString("base64url");
  const host = await startLocalHost({
    repositories: options.clones.map(({ name, path }) => ({ owner: OWNER, name, path, followHead: true })),
    onWorkInTheWay: tell,
    ...(options.write && { writable: true, tokens: [{ value: token, login: "local" }] }),
  }).catch((cause: unknown) => {
    throw new GitpinError(
      "invalid_argument",
      `${cause instanceof Error ? cause.message : "A clone cannot be served"}.`,
      "Give --repo other clones.",
      {},
      { cause },
    );
  });
  // Local requests cost nothing, so a commit shows within a second.
  return {
    vars: {
      ...common,
      GITHUB_API_URL: host.url,
      GITHUB_WEB_URL: "none",
      HEAD_MAX_AGE: "1",
      ...(options.write && { GITHUB_TOKEN: token }),
    },
    host,
  };
}

/** What the caller's shell says of GitHub, an Enterprise Server too; empty counts as unset. */
function githubVars(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = ["GITHUB_TOKEN", "GITHUB_API_URL", "GITHUB_WEB_URL"];
  return Object.fromEntries(
    names.map((name) => [name, environment[name] ?? ""]).filter(([, value]) => value !== ""),
  );
}

function registryOf({ clones, github, write }: StartOptions): string {
  // With the id, HEAD stays nameless: it is whatever the clone's HEAD names at the moment.
  const local = clones.map(({ name, path }) => ({
    name,
    owner: OWNER,
    repo: name,
    id: idOfPath(realpathSync(path)),
    refs: branchesOf(path),
  }));
  const writable = { branches: ["**"], paths: ["**"] };
  const repositories = [...local, ...github].map((entry) => (write ? { ...entry, writable } : entry));
  return JSON.stringify({ version: 1, repositories });
}
