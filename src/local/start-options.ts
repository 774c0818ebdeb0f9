// What `npm start` and `npm run dev` were asked to serve. Owns the command line and the names that repositories get.
// Refuses unknown options, folders that are no top of a git repository, and `--github` mixed with `--repo`.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { GitpinError } from "../errors.ts";
import { inspectClone, nameOfFolder } from "./clone-folder.ts";

export const USAGE = `npm start [-- OPTIONS]   (or npm run dev: the same, reloaded when a file changes)
  --repo PATH          serve this clone too (repeatable); the checkout's own repository is always served
  --github OWNER/NAME  serve github.com's repository instead (repeatable; GITHUB_TOKEN raises the limits)
  --write              callers on this machine may commit (kin_mutate); a clone's files follow if they hold no changes
                       of yours, else the call is refused. With --github, GITHUB_TOKEN must be allowed to write
  --port N             listen on 127.0.0.1:N (default 8787; 0: any free one)
  --state FOLDER       keep the cache there (default .state)`;

/** What the checkout's own repository is called, whatever its folder: the documentation's commands name it. */
const OWN_NAME = "gitpin-edge";

export interface LocalClone {
  name: string;
  path: string;
}

export interface HostedRepository {
  name: string;
  owner: string;
  repo: string;
}

export interface StartOptions {
  clones: LocalClone[];
  github: HostedRepository[];
  /** 0: any free one. */
  port: number;
  stateFolder: string;
  /** Whether callers may commit to what is served. */
  write: boolean;
  /** Things to know that are no error. */
  notes: string[];
}

const refuse = (message: string, nextStep = `Usage:\n${USAGE}`): never => {
  throw new GitpinError("invalid_argument", message, nextStep);
};

/** `checkout` is the folder of this project. Throws `invalid_argument`. */
export function readStartOptions(args: string[], checkout: string): StartOptions {
  const { values, positionals } = parse(args);
  // `--github owner/name another/one` reads naturally, so further words count as repositories too.
  const named = [...(values.github ?? []), ...positionals];
  if (positionals.length > 0 && values.github === undefined) refuse(`Unknown argument: ${positionals[0]}`);
  if (named.length > 0 && values.repo !== undefined) refuse("--github and --repo exclude each other.");
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535) refuse("--port takes a number from 0 to 65535.");
  const notes = values.write ? ["Callers on this machine may commit to what is served (--write)."] : [];
  return {
    clones: named.length > 0 ? [] : distinct(clonesOf(values.repo ?? [], checkout, notes)),
    github: distinct(named.map(hostedAt)),
    port,
    stateFolder: resolve(values.state ?? join(checkout, ".state")),
    write: values.write,
    notes,
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
        write: { type: "boolean", default: false },
      },
    });
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : "The options cannot be read.");
  }
}

/** The checkout's own repository first; an unpacked archive has none, and then another must be named. */
function clonesOf(paths: readonly string[], checkout: string, notes: string[]): LocalClone[] {
  const named = paths.map((path) => {
    const folder = resolve(path);
    const fault = inspectClone(folder);
    return fault === null
      ? cloneAt(folder)
      : refuse(`${folder} ${fault}.`, "Give --repo the top folder of a clone.");
  });
  const fault = inspectClone(checkout);
  if (fault === null) {
    const others = named.filter(({ path }) => path !== resolve(checkout));
    return [{ name: OWN_NAME, path: resolve(checkout) }, ...others];
  }
  if (named.length === 0) {
    refuse(
      `This folder ${fault}, so there is nothing to serve.`,
      "Name what to serve: npm start -- --repo PATH-OF-A-CLONE, or npm start -- --github OWNER/NAME. A git clone of this project serves itself.",
    );
  }
  notes.push(`This folder ${fault}; only what --repo names is served.`);
  return named;
}

const cloneAt = (folder: string): LocalClone => ({ name: nameOfFolder(folder), path: folder });

function hostedAt(text: string): HostedRepository {
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
