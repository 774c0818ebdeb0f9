/**
 * `npm start` and `npm run dev` as a person runs them: through npm, on the machine's own Node, in a process group of their own.
 * Owns starting, reading what is printed, and the question whether anything is left running.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

/** How long what did not end by itself may take to end when told. */
const PATIENCE_MS = 10_000;

export const checkout = join(import.meta.dirname, "../..");

/** The PATH of a shell that knows nothing of this project: npm itself must find the right Node. */
export const machinePath = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);

/** The caller's environment without npm's and GitHub's, and with the machine's PATH. */
export function machineEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|GIT|NODE_)/i.test(name));
  return { ...Object.fromEntries(kept), PATH: machinePath, NO_COLOR: "1", ...more };
}

export interface NpmRun {
  child: ChildProcess;
  /** All output so far, both streams. */
  text(): string;
  /** Resolves with the output once it fits; rejects when the run ends before. */
  printed(pattern: RegExp): Promise<string>;
  /** Resolves when every process that holds the output has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** To the whole group, as a terminal sends Ctrl-C. */
  interrupt(signal?: NodeJS.Signals): void;
  /** Command lines of processes of the group that still run. */
  left(): string[];
}

/** Whatever becomes of the test, the group does not outlive it. */
export function npmRun(
  t: TestContext,
  args: readonly string[],
  options: { cwd?: string; environment?: Readonly<Record<string, string>> } = {},
): NpmRun {
  const child = spawn("npm", args, {
    cwd: options.cwd ?? checkout,
    env: machineEnvironment(options.environment),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (piece: string) => {
      text += piece;
      child.emit("printed");
    });
  }
  const group = child.pid ?? 0;
  const send = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-group, signal);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "ESRCH") throw thrown;
    }
  };
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  t.after(async () => {
    // What is killed cannot end the group of its own that it started, and that one would hold the output for ever.
    send("SIGTERM");
    await Promise.race([ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
    send("SIGKILL");
  });
  return {
    child,
    text: () => text,
    async printed(pattern) {
      let over = false;
      const end = ended.then(() => {
        over = true;
      });
      while (!pattern.test(text)) {
        await Promise.race([once(child, "printed"), end]);
        if (over && !pattern.test(text)) throw new Error(`it ended without printing ${pattern}:\n${text}`);
      }
      return text;
    },
    ended,
    interrupt: (signal = "SIGINT") => void process.kill(-group, signal),
    left: () =>
      execFileSync("ps", ["-eo", "pgid=,stat=,args="], { encoding: "utf8" })
        .split("\n")
        .filter((line) => {
          const [pgid, state = "", first = ""] = line.trim().split(/\s+/);
          // A name in brackets has no memory any more: it has ended, and is about to be a zombie.
          return Number(pgid) === group && !state.startsWith("Z") && !/^\[.*\]$/.test(first);
        }),
  };
}

/** The line that is printed under one that ends in `:`. */
export function lineUnder(text: string, title: string): string {
  const lines = text.split("\n");
  return lines[lines.findIndex((line) => line.startsWith(title)) + 1]?.trim() ?? "";
}

export const serviceUrl = (text: string): string => /MCP +(http:\S+)\/mcp\?/.exec(text)?.[1] ?? "";

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "gitpin-start-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A fresh clone of the checkout's HEAD, with its packages as `npm ci` would have put them there. */
export function freshClone(into: string): string {
  const clone = join(into, "my checkout");
  execFileSync("git", ["-c", "safe.directory=*", "clone", "--quiet", checkout, clone], {
    env: machineEnvironment(),
  });
  symlinkSync(join(checkout, "node_modules"), join(clone, "node_modules"));
  return clone;
}

/** The same files without a repository, as in an unpacked archive. */
export function unpackedArchive(into: string): string {
  const clone = freshClone(into);
  const folder = join(into, "unpacked");
  cpSync(clone, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => !from.endsWith("/.git"),
  });
  return folder;
}
