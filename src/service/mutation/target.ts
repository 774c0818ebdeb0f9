/**
 * The branch a call commits to and the one it starts from. Owns which of `branch`, `create_branch` and `pull_request` go
 * together, and what a branch may be called.
 */
import { GitpinError } from "../../errors.ts";
import type { MutateInput } from "../../schema/mutation.ts";
import type { RepositoryEntry } from "../../schema/registry.ts";

export interface Target {
  /** Committed to, without `refs/heads/`. */
  branch: string;
  /** Branch that the bases are of; a new branch starts there. */
  baseBranch: string;
  /** `branch` is made new. */
  create: boolean;
}

/** Whether a branch is the one that HEAD stands for. */
export const isHead = (entry: RepositoryEntry, defaultBranch: string, branch: string): boolean =>
  branch === (entry.ref?.replace(/^(?:refs\/)?heads\//, "") ?? defaultBranch);

/** Throws `invalid_argument`. */
export function targetOf(
  input: Pick<MutateInput, "branch" | "create_branch" | "pull_request">,
  baseBranch: string,
): Target {
  const { branch = baseBranch, create_branch: create = false } = input;
  const fault = branchNameFault(branch) ?? branchNameFault(baseBranch);
  if (fault !== null) {
    throw wrong(
      "branch",
      `The branch cannot be one: ${fault}.`,
      "Give a name without refs/heads/, e.g. agent/fix-parse; send bases as they were handed out.",
    );
  }
  if (create && branch === baseBranch) {
    throw wrong(
      "create_branch",
      `create_branch makes a new branch, and ${branch} is the one the bases are of.`,
      "Name another branch, or leave create_branch out.",
    );
  }
  if (input.pull_request !== undefined && branch === baseBranch) {
    throw wrong(
      "pull_request",
      "A pull request needs a branch of its own: this call would commit to the one it is for.",
      "Add branch with a new name, and create_branch true.",
    );
  }
  return { branch, baseBranch, create };
}

const wrong = (field: string, message: string, nextStep: string): GitpinError =>
  new GitpinError("invalid_argument", message, nextStep, { field });

/**
 * What is wrong with the name of a branch, in words; null when git and GitHub take it. Follows `git check-ref-format --branch`,
 * and GitHub, which takes no name of 40 hex digits nor one that begins with `refs/`.
 */
export function branchNameFault(name: string): string | null {
  if (name === "" || name === "@" || name === "HEAD") return "it stands for something else";
  if (/[\p{Cc} ~^:?*[\\\x7f]/u.test(name) || !name.isWellFormed()) {
    return "it holds a character that names of refs cannot hold";
  }
  if (name.includes("..") || name.includes("@{")) return "it holds `..` or `@{`";
  if (name.startsWith("-")) return "it begins with `-`";
  if (name.endsWith(".")) return "it ends with a dot";
  for (const segment of name.split("/")) {
    if (segment === "") return "it holds an empty segment";
    if (segment.startsWith(".")) return "a segment begins with a dot";
    if (segment.endsWith(".lock")) return "a segment ends with `.lock`";
  }
  if (name.startsWith("refs/")) return "it begins with refs/";
  return /^[0-9a-f]{40}$/i.test(name) ? "it looks like the id of a commit" : null;
}
