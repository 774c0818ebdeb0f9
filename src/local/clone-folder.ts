// Whether a folder is the top of a git repository, as the local host serves it; and the name it is served by.
// Sees none of the caller's GIT_* variables: inside a hook they would name another repository.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { GitpinError } from "../errors.ts";
import { cleanEnvironment } from "./git/environment.ts";

/** Null when it can be served; else what it is, as the end of a sentence about it. Throws when git is not installed. */
export function inspectClone(folder: string): string | null {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return "is not a folder";
  if (git(folder, dirname(resolve(folder)), "--git-dir") !== null) return null;
  const top = git(folder, "", "--show-toplevel");
  return top === null ? "is not a git repository" : `is a folder inside the repository ${top}, not its top`;
}

/** Letters, digits, dot, underscore and hyphen; `.git` of a bare clone left off. */
export function nameOfFolder(folder: string): string {
  const name = basename(folder)
    .replace(/\.git$/, "")
    .replace(/[^A-Za-z0-9._-]/g, "-")
    .slice(0, 100);
  return /^\.*$/.test(name) ? "repository" : name;
}

/** The branches with the newest commits, at most 20, as a registry names them. */
export function branchesOf(folder: string): string[] {
  const listed = run(
    folder,
    "",
    "for-each-ref",
    "--sort=-committerdate",
    "--count=20",
    "--format=%(refname)",
    "refs/heads",
  );
  // A bare name reads best; what could be read as something else keeps its full form.
  return (listed ?? "")
    .split("\n")
    .filter((name) => name !== "")
    .map((name) => name.replace(/^refs\/heads\/(?!(?:refs|heads|tags)\/|HEAD$)/, ""));
}

/** `ceiling`: no repository above this folder counts. */
const git = (folder: string, ceiling: string, what: string): string | null =>
  run(folder, ceiling, "rev-parse", what);

function run(folder: string, ceiling: string, ...words: string[]): string | null {
  const env = cleanEnvironment(ceiling === "" ? {} : { GIT_CEILING_DIRECTORIES: ceiling });
  // The owner of a mounted folder is often another: it is only read, and nothing of its configuration runs.
  const { status, stdout, error } = spawnSync("git", ["-c", "safe.directory=*", ...words], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  if (error !== undefined) {
    throw new GitpinError(
      "invalid_argument",
      "git cannot be started.",
      "Install git, then start again.",
      {},
      { cause: error },
    );
  }
  return status === 0 ? stdout.trim() : null;
}
