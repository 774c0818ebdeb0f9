// Runs one short git process: no shell, standard input closed or given whole, output as bytes.
// Owns: spawning and the exit code. Refuses: guessing at a failure (it becomes a GitFailure with git's own words).
// Callers put whatever comes from a request behind `--end-of-options` or `--`, or validate it before.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { Environment } from "./environment.ts";

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

/** Runs git to its end. Resolves with all bytes of standard output, unless `onOutput` takes them. */
export function runGit(args: string[], options: RunOptions): Promise<RunResult> {
  const { allowed = [0], onOutput, input = "" } = options;
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd: options.cwd, env: options.env, stdio: ["pipe", "pipe", "pipe"] });
    // A git that ends before it has read all says why by its exit code.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const pieces: Buffer[] = [];
    const complaints: Buffer[] = [];
    let ended = false;
    child.stdout.on("data", (piece: Buffer) => {
      if (!onOutput) pieces.push(piece);
      else if (!ended && !onOutput(piece)) {
        ended = true;
        child.kill();
      }
    });
    child.stderr.on("data", (piece: Buffer) => complaints.push(piece));
    child.on("error", reject);
    child.on("close", (exitCode) => {
      if (ended || (exitCode !== null && allowed.includes(exitCode))) {
        resolve({ exitCode, stdout: Buffer.concat(pieces) });
      } else {
        const command = args.find((arg) => !arg.startsWith("-")) ?? "";
        reject(new GitFailure(command, exitCode, Buffer.concat(complaints).toString()));
      }
    });
  });
}
