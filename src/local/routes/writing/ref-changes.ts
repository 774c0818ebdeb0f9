// A change of refs as every way of writing makes it: checked against what the repository allows, then made, all or nothing.
// Owns: protected branches, workflow files brought in by a ref, fast-forward. How a refusal is worded is the route's to say.
import { changesUnder, isAncestor } from "../../git/history.ts";
import { moveRefs, type RefMove } from "../../git/ref-moves.ts";
import { isRefName } from "../../git/ref-name.ts";
import { uncommittedIn, uncommittedWords } from "../../git/uncommitted.ts";
import { ApiError } from "../../http/answer.ts";
import type { RepositoryExchange } from "../../http/exchange.ts";
import { mayChangeWorkflows } from "../../http/permissions.ts";

export interface RefChange extends RefMove {
  /** Whether it may go where the present commit is no ancestor of. */
  force: boolean;
}

export type Refusal =
  | { kind: "raced" | "protected" | "not-fast-forward" }
  | { kind: "workflow"; path: string }
  | { kind: "refused"; words: string };

const BRANCHES = "refs/heads/";
/** Not the caller's to write: GitHub keeps its own there, or a clone does. */
const RESERVED = /^refs\/(?:pull|remotes|stash|worktree|bisect|rewritten|original|prefetch|replace)(?:\/|$)/;

/** Throws 422 for a name that GitHub gives no ref. */
export function assertRefName(name: string): void {
  if (!name.startsWith("refs/")) throw new ApiError(422, "Reference name must start with 'refs/'.");
  if (!/^refs\/[^/]+\/[^/]/.test(name)) {
    throw new ApiError(422, "Reference name must contain at least three slash-separated components.");
  }
  const branch = name.startsWith(BRANCHES) ? name.slice(BRANCHES.length) : "";
  if (!isRefName(name) || /^(?:[0-9a-f]{40}|HEAD|refs\/.*|-.*)$/.test(branch)) {
    throw new ApiError(422, `${name} is not a valid ref name.`);
  }
}

/** Makes all of the changes, or none and says why. */
export async function changeRefs(
  exchange: RepositoryExchange,
  changes: readonly RefChange[],
): Promise<Refusal | null> {
  for (const change of changes) {
    const refusal = await judge(exchange, change);
    if (refusal !== null) return refusal;
  }
  const outcome = await moveRefs(exchange.repository.git, changes);
  if (outcome.status === "raced") return { kind: "raced" };
  if (outcome.status !== "refused") return null;
  const { words, workTree } = outcome;
  if (!workTree) return { kind: "refused", words: `git says: ${words}` };
  const why = await inTheWay(exchange, changes, words);
  const branches = changes.map(({ name }) => name.replace(BRANCHES, "")).join(", ");
  const { owner, name } = exchange.repository;
  exchange.host.onWorkInTheWay(`Refused to commit to ${branches} of ${owner}/${name}: ${why}.`);
  return { kind: "refused", words: why };
}

/** What of a work tree keeps its branch from moving; git's own words where no changed file is found. */
async function inTheWay(
  { repository }: RepositoryExchange,
  changes: readonly RefChange[],
  words: string,
): Promise<string> {
  for (const { name } of changes) {
    const told = uncommittedWords(await uncommittedIn(repository.git, name));
    if (told !== null) return told;
  }
  return `the branch is checked out in the served clone, and git says: ${words}`;
}

async function judge(exchange: RepositoryExchange, change: RefChange): Promise<Refusal | null> {
  const { repository } = exchange;
  const { name, from, to, force } = change;
  if (RESERVED.test(name)) return { kind: "refused", words: "the name is reserved" };
  if (from === to) return null;
  const branch = name.startsWith(BRANCHES) ? name.slice(BRANCHES.length) : null;
  if (branch !== null && repository.protectedBranches.includes(branch)) return { kind: "protected" };
  if (branch === repository.defaultBranch && to === null) {
    return { kind: "refused", words: "the default branch cannot be deleted" };
  }
  if (to === null) return null;
  if (branch !== null && (await repository.git.info(to))?.type !== "commit") {
    return { kind: "refused", words: "a branch leads to a commit" };
  }
  if (!force && from !== null && !(await isFastForward(exchange, from, to)))
    return { kind: "not-fast-forward" };
  return await judgeWorkflows(exchange, from, to);
}

async function isFastForward(
  { repository: { git } }: RepositoryExchange,
  from: string,
  to: string,
): Promise<boolean> {
  const [old, next] = await Promise.all([git.info(from), git.info(to)]);
  return old?.type === "commit" && next?.type === "commit" && (await isAncestor(git, from, to));
}

/** What a ref brings in under `.github/workflows`, for callers who may not change workflows. */
async function judgeWorkflows(
  { repository: { git, defaultBranch }, caller }: RepositoryExchange,
  from: string | null,
  to: string,
): Promise<Refusal | null> {
  if (mayChangeWorkflows(caller) || (await git.peel(to))?.type !== "commit") return null;
  const base = from ?? (await git.firstRef(`${BRANCHES}${defaultBranch}`))?.sha ?? null;
  const [path] = await changesUnder(git, base, to, ".github/workflows");
  return path === undefined ? null : { kind: "workflow", path };
}

export const workflowText = (exchange: RepositoryExchange, path: string): string => {
  const who = exchange.caller.issued === undefined ? "a Personal Access Token" : "a GitHub App";
  const what = exchange.caller.issued === undefined ? "scope" : "permission";
  const name = exchange.caller.issued === undefined ? "workflow" : "workflows";
  return `refusing to allow ${who} to create or update workflow \`${path}\` without \`${name}\` ${what}`;
};
