// One long-lived `git cat-file --batch` (or `--batch-check`): objects by full object name, many to a process.
// Owns: the process, its queue and its framing (gitformat of git-cat-file, "BATCH OUTPUT").
// Refuses: anything but 40 lower-case hex digits, so that no revision syntax ever reaches git.
// Objects that arrive later are seen: git looks at its packs again when it misses one.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Environment } from "./environment.ts";

export type ObjectType = "blob" | "tree" | "commit" | "tag";

export interface ObjectInfo {
  sha: string;
  type: ObjectType;
  /** Bytes of the content, without git's header. */
  size: number;
}

export interface GitObject extends ObjectInfo {
  content: Buffer;
}

interface Waiting {
  sha: string;
  resolve(found: GitObject | null): void;
  reject(reason: Error): void;
}

const FULL_SHA = /^[0-9a-f]{40}$/;
const HEADER = /^([0-9a-f]{40}) (blob|tree|commit|tag) (\d+)$/;
const NEWLINE = 0x0a;

export class CatFile {
  readonly #mode: "--batch" | "--batch-check";
  readonly #cwd: string;
  readonly #env: Environment;
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #waiting: Waiting[] = [];
  #pieces: Buffer[] = [];
  #length = 0;
  #header: ObjectInfo | undefined;
  #closed = false;

  constructor(mode: "--batch" | "--batch-check", cwd: string, env: Environment) {
    this.#mode = mode;
    this.#cwd = cwd;
    this.#env = env;
  }

  /** The object, or null when the store does not hold it. In `--batch-check` mode the content is empty. */
  read(sha: string): Promise<GitObject | null> {
    if (!FULL_SHA.test(sha)) return Promise.reject(new TypeError(`not a full object name: ${sha}`));
    if (this.#closed) return Promise.reject(new Error("the object reader is closed"));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sha, resolve, reject });
      this.#start().stdin.write(`${sha}\n`);
    });
  }

  /** Ends the process; what is still waiting is rejected. */
  close(): void {
    this.#closed = true;
    this.#child?.kill();
    for (const one of this.#waiting.splice(0)) one.reject(new Error("the object reader is closed"));
  }

  #start(): ChildProcessByStdio<Writable, Readable, null> {
    if (this.#child) return this.#child;
    const child = spawn("git", ["cat-file", this.#mode], {
      cwd: this.#cwd,
      env: this.#env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    this.#pieces = [];
    this.#length = 0;
    this.#header = undefined;
    child.stdout.on("data", (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#length += piece.length;
      this.#deliver();
    });
    // A process that dies under us is reported by "close"; the broken pipe itself adds nothing.
    child.stdin.on("error", () => child.kill());
    child.on("error", (reason) => this.#lost(child, reason));
    child.on("close", () => this.#lost(child, new Error("git cat-file ended unexpectedly")));
    return child;
  }

  /** The request under way fails (git dies of a corrupt object); the ones behind it go to a new process. */
  #lost(child: unknown, reason: Error): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#waiting.shift()?.reject(reason);
    if (this.#closed || this.#waiting.length === 0) return;
    const next = this.#start();
    for (const one of this.#waiting) next.stdin.write(`${one.sha}\n`);
  }

  #deliver(): void {
    for (;;) {
      if (!this.#header) {
        const line = this.#takeLine();
        if (line === undefined) return;
        const header = HEADER.exec(line);
        if (!header) {
          this.#waiting.shift()?.resolve(null);
          continue;
        }
        const [, sha = "", type, size] = header;
        this.#header = { sha, type: type as ObjectType, size: Number(size) };
      }
      const header = this.#header;
      if (this.#mode === "--batch-check") {
        this.#header = undefined;
        this.#waiting.shift()?.resolve({ ...header, content: Buffer.alloc(0) });
        continue;
      }
      if (this.#length < header.size + 1) return;
      const content = this.#take(header.size + 1).subarray(0, header.size);
      this.#header = undefined;
      this.#waiting.shift()?.resolve({ ...header, content });
    }
  }

  #takeLine(): string | undefined {
    let before = 0;
    for (const piece of this.#pieces) {
      const at = piece.indexOf(NEWLINE);
      if (at >= 0)
        return this.#take(before + at + 1)
          .toString("latin1")
          .slice(0, -1);
      before += piece.length;
    }
    return undefined;
  }

  #take(length: number): Buffer {
    const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    const rest = all.subarray(length);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return all.subarray(0, length);
  }
}
