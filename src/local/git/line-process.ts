// One long-lived git process that answers each request with one line, in order: many objects to a process.
// Owns: the process and its queue. A process that dies fails the request under way; those behind it go to a new one.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Environment } from "./environment.ts";

interface Waiting {
  request: string | Buffer;
  resolve(line: string): void;
  reject(reason: Error): void;
}

export class LineProcess {
  readonly #args: string[];
  readonly #cwd: string;
  readonly #env: Environment;
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #waiting: Waiting[] = [];
  #text = "";
  #complaint = "";
  #closed = false;

  constructor(args: string[], cwd: string, env: Environment) {
    this.#args = args;
    this.#cwd = cwd;
    this.#env = env;
  }

  /** The line that git answers, without its end. */
  ask(request: string | Buffer): Promise<string> {
    if (this.#closed) return Promise.reject(new Error(`git ${this.#args[0]} is closed`));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#start().stdin.write(request);
    });
  }

  /** Ends the process; what is still waiting is rejected. */
  close(): void {
    this.#closed = true;
    this.#child?.kill();
    for (const one of this.#waiting.splice(0)) one.reject(new Error(`git ${this.#args[0]} is closed`));
  }

  #start(): ChildProcessByStdio<Writable, Readable, Readable> {
    if (this.#child) return this.#child;
    const child = spawn("git", this.#args, {
      cwd: this.#cwd,
      env: this.#env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    this.#text = "";
    this.#complaint = "";
    child.stdout.on("data", (piece: Buffer) => this.#deliver(piece));
    child.stderr.on("data", (piece: Buffer) => {
      this.#complaint += piece.toString();
    });
    // A process that dies under us is reported by "close"; the broken pipe itself adds nothing.
    child.stdin.on("error", () => child.kill());
    child.on("error", (reason) => this.#lost(child, reason));
    child.on("close", () => {
      this.#lost(child, new Error(`git ${this.#args[0]} ended: ${this.#complaint.trim()}`));
    });
    return child;
  }

  #deliver(piece: Buffer): void {
    const lines = (this.#text + piece.toString("latin1")).split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) this.#waiting.shift()?.resolve(line);
  }

  #lost(child: unknown, reason: Error): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#waiting.shift()?.reject(reason);
    if (this.#closed || this.#waiting.length === 0) return;
    const next = this.#start();
    for (const one of this.#waiting) next.stdin.write(one.request);
  }
}
