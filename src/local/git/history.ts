// Which commits: lists and counts through `git rev-list`, merge bases through `git merge-base`.
// Owns: turning filters into arguments (values stay inside their own argument, paths stand behind `--`).
import { EMPTY_TREE } from "./diff.ts";
import type { GitRepository } from "./repository.ts";

export interface HistoryFilter {
  /** Literal path, `/`-separated. */
  path?: string;
  /** Seconds since the epoch, inclusive. */
  since?: number;
  until?: number;
  /** An email address (whole), or a part of the name. */
  author?: string;
  committer?: string;
}

function person(value: string): string {
  return value.includes("@") ? `<${value}>` : value;
}

function filterArguments(filter: HistoryFilter): string[] {
  return [
    ...(filter.since === undefined ? [] : [`--max-age=${filter.since}`]),
    ...(filter.until === undefined ? [] : [`--min-age=${filter.until}`]),
    ...(filter.author === undefined ? [] : [`--author=${person(filter.author)}`]),
    ...(filter.committer === undefined ? [] : [`--committer=${person(filter.committer)}`]),
    "--fixed-strings",
    "--regexp-ignore-case",
  ];
}

/** Newest first, as `git log` does; `path` with its history simplification. */
export async function listCommits(
  git: GitRepository,
  from: string,
  filter: HistoryFilter,
): Promise<string[]> {
  const path = filter.path === undefined || filter.path === "" ? [] : [filter.path];
  const { stdout } = await git.run(["rev-list", ...filterArguments(filter), from, "--", ...path]);
  return lines(stdout);
}

/** Commits in `head` that are not in `base`, oldest first. */
export async function commitsBetween(git: GitRepository, base: string, head: string): Promise<string[]> {
  const { stdout } = await git.run(["rev-list", "--reverse", "--topo-order", head, `^${base}`, "--"]);
  return lines(stdout);
}

export async function countBetween(git: GitRepository, base: string, head: string): Promise<number> {
  const { stdout } = await git.run(["rev-list", "--count", head, `^${base}`, "--"]);
  return Number(stdout.toString());
}

/** The best common ancestor; null for unrelated histories. */
export async function mergeBase(git: GitRepository, one: string, other: string): Promise<string | null> {
  const { stdout } = await git.run(["merge-base", one, other], [0, 1]);
  return lines(stdout)[0] ?? null;
}

function lines(output: Buffer): string[] {
  return output.toString("latin1").split("\n").filter(Boolean);
}

/** Whether `commit` is `descendant` or came before it. */
export async function isAncestor(git: GitRepository, commit: string, descendant: string): Promise<boolean> {
  const { exitCode } = await git.run(["merge-base", "--is-ancestor", commit, descendant], [0, 1]);
  return exitCode === 0;
}

/** Paths under a folder that differ between two commits and stand in the second; `from` null: all that stand there. */
export async function changesUnder(
  git: GitRepository,
  from: string | null,
  to: string,
  folder: string,
): Promise<string[]> {
  const between = from === null ? [EMPTY_TREE, to] : [from, to];
  const options = ["-r", "-z", "--name-only", "--no-renames", "--diff-filter=d"];
  const { stdout } = await git.run(["diff-tree", ...options, ...between, "--", folder]);
  return stdout.toString("utf8").split("\0").filter(Boolean);
}
