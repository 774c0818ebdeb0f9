// Runs one short git process: no shell, standard input closed or given whole, output as bytes.
// Owns: the exit code, and the process that git is started in: a fork takes time in proportion to the memory of the process that
// forks, and this one holds the Worker. Refuses: guessing at a failure (it becomes a GitFailure with git's own words).
// Callers put whatever comes from a request behind `--end-of-options` or `--`, or validate it before.
import { type ChildProcess, type ChildProcessByStdio, fork, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { cleanEnvironment, type Environment } from "./environment.ts";
import type { Ask, Tell } from "./run-messages.ts";

/** git ended with another exit code than the caller allows. */
export class GitFailure extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(command: string, exitCode: number | null, stderr: string) {
    super(`git ${command} ended with ${exitCode ?? "a signal"}: ${stderr.trim()}`);
    this.name = "GitFailure";
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export interface RunOptions {
  cwd: string;
  env: Environment;
  /** Exit codes that are an answer; others reject. Default `[0]`. */
  allowed?: number[];
  /** Called with each piece of output; return false to end git early (its exit code is then ignored). */
  onOutput?: (piece: Buffer) => boolean;
  /** What git reads; nothing when left out. */
  input?: string | Buffer;
}

export interface RunResult {
  exitCode: number | null;
  stdout: Buffer;
}

/** Starts git with its output as a stream; the caller owns the process. */
export function startGit(
  args: string[],
  options: { cwd: string; env: Environment },
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn("git", args, { cwd: options.cwd, env: options.env, stdio: ["ignore", "pipe", "pipe"] });
}

interface Waiting {
  hear(tell: Tell): void;
  reject(reason: Error): void;
}

const waiting = new Map<number, Waiting>();
let runner: ChildProcess | undefined;
let count = 0;

/** Runs git to its end. Resolves with all bytes of standard output, unless `onOutput` takes them. */
export function runGit(args: string[], options: RunOptions): Promise<RunResult> {
  const { allowed = [0], onOutput, input = "", cwd, env } = options;
  return new Promise((resolve, reject) => {
    const id = count++;
    let ended = false;
    const hear = (tell: Tell): void => {
      if (tell.kind === "piece") {
        if (ended || onOutput?.(tell.piece)) return;
        ended = true;
        ask({ kind: "end", id });
        return;
      }
      forget(id);
      if (tell.kind === "failed") reject(Object.assign(new Error(tell.message), { code: tell.code }));
      else if (ended || (tell.exitCode !== null && allowed.includes(tell.exitCode))) {
        resolve({ exitCode: tell.exitCode, stdout: tell.stdout });
      } else {
        const command = args.find((arg) => !arg.startsWith("-")) ?? "";
        reject(new GitFailure(command, tell.exitCode, tell.stderr));
      }
    };
    waiting.set(id, { hear, reject });
    ask({ kind: "run", id, args, cwd, env, input, inPieces: onOutput !== undefined });
  });
}

function forget(id: number): void {
  waiting.delete(id);
  // This process stays for what is under way, not for the runner.
  if (waiting.size === 0) runner?.channel?.unref();
}

function ask(message: Ask): void {
  const to = startedRunner();
  to.channel?.ref();
  to.send(message, (reason) => {
    if (reason !== null) lost(to, reason);
  });
}

function startedRunner(): ChildProcess {
  if (runner?.connected) return runner;
  const started = fork(join(import.meta.dirname, "runner.mjs"), {
    env: cleanEnvironment(),
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  runner = started;
  started.unref();
  started.on("message", (tell: Tell) => waiting.get(tell.id)?.hear(tell));
  started.on("error", (reason) => lost(started, reason));
  started.on("disconnect", () => lost(started, new Error("the process that runs git ended unexpectedly")));
  return started;
}

/** What it was running is gone with it; what comes next goes to a new one. */
function lost(which: ChildProcess, reason: Error): void {
  if (runner !== which) return;
  runner = undefined;
  for (const one of waiting.values()) one.reject(reason);
  waiting.clear();
}
