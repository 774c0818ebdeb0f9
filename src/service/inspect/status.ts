/** `status`: which ref HEAD is, its newest commit, and how it stands to the default branch where callers may see that. */
import { GitpinError } from "../../errors.ts";
import type { Head } from "../../ports/repository-reader.ts";
import { commitRowOf } from "../commit-row.ts";
import type { Part, View } from "./view.ts";

const WORKING_TREE =
  "Hosted git has no working tree: there is nothing uncommitted here, and nothing uncommitted on anybody's machine is seen or left out.";

export async function statusOf({ at }: View): Promise<Part<"status">> {
  const { reader, outcome } = at;
  const { defaultBranch } = await reader.identity();
  const full = `refs/heads/${defaultBranch}`;
  const ref = at.head.ref === "HEAD" ? full : at.head.ref;
  const against = ref === full ? null : await registeredTip(at, defaultBranch);
  const relation = against === null ? null : await reader.relation(against.sha, at.commitSha);
  return {
    ref,
    defaultBranch,
    against: against?.ref ?? null,
    ahead: relation?.ahead ?? null,
    behind: relation?.behind ?? null,
    latestCommit: commitRowOf(outcome.commit),
    workingTree: WORKING_TREE,
  };
}

/** Null unless the default branch is among the registered refs: of others nothing is told. */
async function registeredTip({ reader }: View["at"], branch: string): Promise<Head | null> {
  try {
    return await reader.head(`refs/heads/${branch}`);
  } catch (error) {
    if (error instanceof GitpinError && error.code === "ref_not_registered") return null;
    throw error;
  }
}
