/**
 * A branch that the host does not move or make, as our error `branch_protected`: by its rules, by files that somebody works on in a clone,
 * or for a reason that nobody knows. Owns the wording and the way out, which differs: a pull request gets around most rules, not all.
 */
import { GitpinError } from "../../errors.ts";
import type { KnownWords } from "./known-words.ts";

/** What was asked of the branch: to move, to be made, or to get the first commit of an empty repository. */
export type BranchStep = "move" | "make" | "first";

const REFUSED: Record<BranchStep, string> = {
  move: "a direct commit",
  make: "a new branch of this name",
  first: "a first commit",
};

const RULES_KEPT =
  "Ask the repository's owner to exempt this service from the rules of the branch, or to make the first commit.";
const OTHER_NAME =
  "Call again with another name for the branch, or ask the repository's owner which names may be made.";

const proposed = (branch: string): string =>
  `Send the same call with branch set to a new name, create_branch true and pull_request {title}: the change then goes to ${branch} by a pull request.`;

const around = (step: BranchStep, branch: string): string =>
  step === "move" ? proposed(branch) : step === "make" ? OTHER_NAME : RULES_KEPT;

/** What to do about rules. A pull request of commits without signatures could not be merged, and a locked branch takes none at all. */
function wayOut(step: BranchStep, branch: string, ways: KnownWords["ways"]): string {
  if (ways.has("sign")) {
    return "Ask the operator to let this service commit as a GitHub App, whose commits GitHub signs; or make the change in a clone and sign it.";
  }
  if (ways.has("unlock")) {
    return "Ask the repository's owner to unlock the branch, then send the same call again.";
  }
  return around(step, branch);
}

/** By rules, of the branch or of the repository. */
export function refusedByRules(step: BranchStep, branch: string, { said, ways }: KnownWords): GitpinError {
  const words = said === null ? "" : ` GitHub's words: "${said}"`;
  return new GitpinError(
    "branch_protected",
    `The repository's rules for this branch refuse ${REFUSED[step]}.${words}`,
    wayOut(step, branch, ways),
    { branch, reason: "rules", ...(said === null ? {} : { said }) },
  );
}

/** Without words that this service knows. */
export const refusedUntold = (step: BranchStep, branch: string): GitpinError =>
  new GitpinError(
    "branch_protected",
    "GitHub refuses to make or move this branch and gives no reason that this service knows.",
    `${around(step, branch)} If that is refused too, the branch's rules at GitHub say why: the repository's owner can read them.`,
    { branch, reason: "refused" },
  );

/** Of a host that serves clones. `where`: "README.md and 2 more". */
export const uncommittedWork = (branch: string, where: string): GitpinError =>
  new GitpinError(
    "branch_protected",
    `The branch is checked out in the served clone, and the clone has uncommitted changes in ${where}.`,
    "Commit or stash them in the clone, then send the same call again; or send it with branch set to a new name and create_branch true.",
    {
      branch,
      reason: "uncommitted",
      said: `the clone has uncommitted changes in ${where}: commit or stash them`,
    },
  );

export const checkedOut = (branch: string): GitpinError =>
  new GitpinError(
    "branch_protected",
    "The branch is checked out in a clone whose files cannot follow it.",
    "Move away the files that are in the way there, or check out another branch, then send the same call again; or send it with branch set to a new name and create_branch true.",
    { branch, reason: "checked_out" },
  );
