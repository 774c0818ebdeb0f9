// What `npm start` was asked to serve. Owns the command line and the names that repositories get.
// Refuses unknown options, folders that are no git repository, and `--github` mixed with `--repo`.
import { execFileSync } from "node:child_process";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { GitpinError } from "../errors.ts";

export const USAGE = `npm start [-- OPTIONS]
  --repo PATH          serve this clone too (repeatable); the checkout's own repository is always served
  --github OWNER/NAME  serve github.com's repository instead (repeatable; GITHUB_TOKEN raises the limits)
  --port N             listen on 127.0.0.1:N (default 8787)
  --state FOLDER       keep the cache there (default .state)`;

export interface LocalClone {
  name: string;
  path: string;
}

export interface StartOptions {
  clones: LocalClone[];
  github: { name: string; owner: string; repo: string }[];
  port: number;
  stateFolder: string;
}

const refuse = (message: string): never => {
  throw new GitpinError("invalid_argument", message, `Usage:\n${USAGE}`);
};

/** `checkout` is the folder of this project. Throws `invalid_argument`. */
export function readStartOptions(args: string[], checkout: string): StartOptions {
  const { values, positionals } = parse(args);
  // `--github owner/name another/one` reads naturally, so further words count as repositories too.
  const named = [...(values.github ?? []), ...positionals];
  if (positionals.length > 0 && values.github === undefined) refuse(`Unknown argument: ${positionals[0]}`);
  if (named.length > 0 && values.repo !== undefined) refuse("--github and --repo exclude each other.");
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse("--port takes a number from 1 to 65535.");
  return {
    clones: named.length > 0 ? [] : distinct([checkout, ...(values.repo ?? [])].map(cloneAt)),
    github: distinct(named.map(hostedAt)),
    port,
    stateFolder: resolve(values.state ?? join(checkout, ".state")),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        repo: { type: "string", multiple: true },
        github: { type: "string", multiple: true },
        port: { type: "string", default: "8787" },
        state: { type: "string" },
      },
    });
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : "The options cannot be read.");
  }
}

function cloneAt(path: string): LocalClone {
  const folder = resolve(path);
  try {
    execFileSync("git", ["-C", folder, "rev-parse", "--git-dir"], { stdio: ["ignore", "ignore", "ignore"] });
  } catch {
    return refuse(`${folder} is not a git repository.`);
  }
  const name = basename(folder)
    .replace(/\.git$/, "")
    .replace(/[^A-Za-z0-9._-]/g, "-");
  return { name: /^\.*$/.test(name) ? "repository" : name, path: folder };
}

function hostedAt(text: string): { name: string; owner: string; repo: string } {
  const match = /^([A-Za-z0-9_-]+)\/([A-Za-z0-9._-]+)$/.exec(text);
  const [, owner = "", repo = ""] = match ?? refuse(`${JSON.stringify(text)} is not OWNER/NAME.`);
  return { name: repo, owner, repo };
}

/** Equal names get a number, so that each repository can be asked for. The same folder twice counts once. */
function distinct<T extends { name: string }>(items: T[]): T[] {
  const taken = new Set<string>();
  const seen = new Set<string>();
  const kept: T[] = [];
  for (const item of items) {
    const identity = JSON.stringify(item);
    if (seen.has(identity)) continue;
    seen.add(identity);
    let name = item.name;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${item.name}-${number}`;
    taken.add(name.toLowerCase());
    kept.push({ ...item, name });
  }
  return kept;
}
