/**
 * Errors of writing, as ours. Owns their wording and what each says to do next.
 * Refuses to repeat anything of the host's answer but the names of permissions; no path, no content, no token. Of branches that do not
 * move: `branch-refusal.ts`.
 */
import type { ObjectId } from "../../core/git/object-id.ts";
import { type ErrorData, GitpinError } from "../../errors.ts";

/** What a GitHub App, or a fine-grained token, must be granted to commit. */
export const WRITE_CONTENTS = "contents: write";
export const WRITE_PULL_REQUESTS = "pull_requests: write";

export const noCredential = (): GitpinError =>
  new GitpinError(
    "write_forbidden",
    "This service has no credential at GitHub, so it can change nothing there.",
    "Ask the operator to give the service a GitHub App or a token that may write contents.",
    { permission: WRITE_CONTENTS, reason: "no_credential" },
  );

/** `permission`: as GitHub named it, or as we know it. */
export const notPermitted = (permission: string): GitpinError =>
  new GitpinError(
    "write_forbidden",
    "GitHub does not let this service write to this repository.",
    `Ask the operator to grant the service's GitHub App (or token) the permission ${permission}, and the repository's owner to accept it.`,
    { permission, reason: "permission" },
  );

export const archived = (): GitpinError =>
  new GitpinError(
    "write_forbidden",
    "The repository is archived, so nothing can be changed in it.",
    "Ask the repository's owner to unarchive it.",
    { permission: null, reason: "archived" },
  );

export const workflowsClosed = (): GitpinError =>
  new GitpinError(
    "write_forbidden",
    "GitHub does not let this service change workflow files.",
    "Leave files below .github/workflows out of the call; this service never asks for the permission to change them.",
    { permission: "workflows: write", reason: "workflows" },
  );

export const secretFound = (): GitpinError =>
  new GitpinError(
    "write_forbidden",
    "GitHub's push protection found what looks like a secret in the change.",
    "Take the secret out of the change, then call again.",
    { permission: null, reason: "secret" },
  );

export const samlEnforced = (): GitpinError =>
  new GitpinError(
    "write_forbidden",
    "The organization demands single sign-on for the service's token.",
    "Ask the operator to authorize the service's token for the organization.",
    { permission: null, reason: "saml" },
  );

/** Rules for what files may be pushed, whatever the branch: they are asked when a blob or tree is made. */
export const pushRules = (): GitpinError =>
  new GitpinError(
    "write_forbidden",
    "The repository's rules for pushes refuse a file of this change: its path, its kind or its size.",
    "Leave that file out of the call, or ask the repository's owner what its push rules forbid.",
    { permission: null, reason: "push_rules" },
  );

export const treeMismatch = (expected: ObjectId, actual: ObjectId, data: ErrorData = {}): GitpinError =>
  new GitpinError(
    "tree_mismatch",
    "GitHub made another tree of these files than was computed here.",
    "Nothing was committed. Call again; if it stays so, commit this change with git in a clone.",
    { expected, actual, ...data },
  );

/** `commit`: null where its id was not told. */
export const writeUnknown = (branch: string, commit: ObjectId | null): GitpinError =>
  new GitpinError(
    "write_unknown",
    "GitHub did not say whether the commit landed, and could not be asked.",
    commit === null
      ? "Read the branch shortly, and call again only if the change is not there."
      : "Read the branch shortly: if `data.commit` is its tip or in its history, the change landed; else call again.",
    { branch, commit },
  );

/** The commit is there, and is not the one that was planned. */
export const landedOtherwise = (branch: string, commit: ObjectId): GitpinError =>
  new GitpinError(
    "write_unknown",
    "A commit landed, but not as it was planned: most likely somebody made a first commit at the same moment.",
    "Read the branch: `data.commit` is what landed. Call again only for what is not there.",
    { branch, commit, landed: true },
  );

export const branchNameInvalid = (branch: string): GitpinError =>
  new GitpinError(
    "invalid_argument",
    "That is no name that a branch can have.",
    "Name the branch without refs/heads/, as `git check-ref-format --branch` takes it.",
    { field: "branch", branch },
  );

/** Why a pull request cannot be opened. */
export type PullRequestRefusal =
  | "no_commits"
  | "draft_unsupported"
  | "no_such_branch"
  | "collaborators_only"
  | "refused";

const PULL_REQUEST_REFUSALS: Record<PullRequestRefusal, readonly [string, string]> = {
  no_commits: [
    "There is nothing between these branches to ask a pull of.",
    "Commit to the head branch first, or name other branches.",
  ],
  draft_unsupported: [
    "GitHub offers no draft pull requests in this repository.",
    "Ask for the pull request without `draft`.",
  ],
  no_such_branch: [
    "GitHub knows no such head or base branch.",
    "Name a head and a base branch that are in the repository.",
  ],
  collaborators_only: [
    "The repository's owner lets only collaborators open pull requests.",
    "Ask the owner to make the service's account a collaborator, or open it by hand; the commit itself stands.",
  ],
  refused: [
    "GitHub refused to open the pull request.",
    "Open it on the web page of the head branch; the commit itself stands.",
  ],
};

export const pullRequestRefused = (reason: PullRequestRefusal, head: string, base: string): GitpinError =>
  new GitpinError("pull_request_refused", ...PULL_REQUEST_REFUSALS[reason], { reason, head, base });
