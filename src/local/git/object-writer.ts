// Makes objects through the real git, into the host's own store: blobs, trees and commits, each kind by one process that
// stays. Owns: how git is fed (`hash-object --stdin-paths`, `mktree --batch`). Nothing refers to what is made here; that a
// tree's entries exist is for the caller to know (git refuses a tree whose entries it lacks, and the process starts anew).
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment, Store } from "./environment.ts";
import { LineProcess } from "./line-process.ts";
import { entryType, type TreeEntry } from "./objects.ts";

const FULL_SHA = /^[0-9a-f]{40}$/;

const asSha = (line: string): string => {
  if (!FULL_SHA.test(line)) throw new Error(`git answered ${JSON.stringify(line)} for an object`);
  return line;
};

export class ObjectWriter {
  readonly #incoming: string;
  readonly #blobs: LineProcess;
  readonly #commits: LineProcess;
  readonly #trees: LineProcess;
  #count = 0;

  /** `env` writes to `store`. */
  constructor({ incoming }: Store, env: Environment) {
    this.#incoming = incoming;
    const hash = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
    this.#blobs = new LineProcess([...hash, "-t", "blob"], incoming, env);
    this.#commits = new LineProcess([...hash, "-t", "commit"], incoming, env);
    this.#trees = new LineProcess(["mktree", "-z", "--batch"], incoming, env);
  }

  close(): void {
    for (const one of [this.#blobs, this.#commits, this.#trees]) one.close();
  }

  blob(content: Buffer): Promise<string> {
    return this.#hashed(this.#blobs, content);
  }

  /** `content` is the whole commit object; git refuses one that is malformed. */
  commit(content: Buffer): Promise<string> {
    return this.#hashed(this.#commits, content);
  }

  /** Entries in any order. */
  async tree(entries: readonly TreeEntry[]): Promise<string> {
    const records = entries.flatMap(({ mode, name, sha }) => [
      Buffer.from(`${mode} ${entryType(mode)} ${sha}\t`),
      name,
      Buffer.from([0]),
    ]);
    return asSha(await this.#trees.ask(Buffer.concat([...records, Buffer.from([0])])));
  }

  /** git reads the content from a file, which is the only way to hand it many one by one. */
  async #hashed(hasher: LineProcess, content: Buffer): Promise<string> {
    const path = join(this.#incoming, String(this.#count++));
    await writeFile(path, content);
    try {
      return asSha(await hasher.ask(`${path}\n`));
    } finally {
      await rm(path, { force: true });
    }
  }
}
