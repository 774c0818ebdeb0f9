/**
 * Real git for tests: a repository in a temporary folder, with fixed authors and dates and no user configuration.
 * Owns making and removing; refuses to touch anything outside its folder.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { outputOf } from "../support/small-shell.ts";

const ENVIRONMENT = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  LC_ALL: "C.UTF-8",
};

export class GitRepository {
  readonly path: string;
  #clock = Date.UTC(2026, 0, 1) / 1000;

  constructor(name = "repository") {
    this.path = join(mkdtempSync(join(tmpdir(), "gitpin-test-")), name);
    mkdirSync(this.path);
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "core.quotePath", "false");
    this.git("config", "core.autocrlf", "false");
    this.git("config", "advice.nestedTag", "false");
  }

  /** Standard output as text, without the final newline. Throws with git's own words when git fails. */
  git(...args: string[]): string {
    return this.bytes(...args)
      .toString("utf8")
      .replace(/\n$/, "");
  }

  /** Standard output as bytes. */
  bytes(...args: string[]): Buffer {
    return outputOf("git", args, { cwd: this.path, env: this.environment() });
  }

  /** Feeds `input` to git and gives its standard output as text. */
  feed(input: string | Uint8Array, ...args: string[]): string {
    return outputOf("git", args, { cwd: this.path, env: this.environment(), input }).toString("utf8").trim();
  }

  /** Runs a command line in a POSIX shell inside the repository. */
  shell(command: string): Buffer {
    return outputOf("sh", ["-c", command], { cwd: this.path, env: this.environment() });
  }

  write(path: string, content: string | Uint8Array): this {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return this;
  }

  /** Commits everything; each commit is a minute later than the one before. Gives the full SHA. */
  commit(message: string): string {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", message);
    return this.git("rev-parse", "HEAD");
  }

  remove(): void {
    rmSync(dirname(this.path), { recursive: true, force: true });
  }

  private environment(): Record<string, string> {
    this.#clock += 60;
    const date = `${this.#clock} +0200`;
    return { ...ENVIRONMENT, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  }
}
