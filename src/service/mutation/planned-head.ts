/**
 * The commit that a call is planned on: where the branch stands now, asked of the host, with the policy of its paths.
 * A repository without commits has none: then the registry's own rules are all there are.
 */
import type { ObjectId } from "../../core/git/object-id.ts";
import { createPolicy, type Policy } from "../../core/policy/policy.ts";
import { NO_WIKI } from "../../core/policy/wiki-policy.ts";
import { GitpinError } from "../../errors.ts";
import type { Commit, RepositoryReader } from "../../ports/repository-reader.ts";
import type { RepositoryWriter } from "../../ports/repository-writer.ts";
import type { RepositoryEntry } from "../../schema/registry.ts";
import { openCommit } from "../commit-gate.ts";

export interface PlannedHead {
  branch: string;
  /** Null: the repository has no commit yet. */
  commit: Commit | null;
  policy: Policy;
}

export interface HeadSource {
  entry: RepositoryEntry;
  reader: RepositoryReader;
  writer: RepositoryWriter;
}

/** Throws `branch_missing` where there is no such branch, and `write_not_allowed` where the policy files cannot be read. */
export async function plannedHead(source: HeadSource, branch: string): Promise<PlannedHead> {
  const { entry, reader, writer } = source;
  const tip = await orEmpty(() => writer.tip(branch));
  if (tip === null) {
    // No such branch, or nothing at all: HEAD tells the two apart.
    if ((await orEmpty(() => reader.head())) !== null) throw branchMissing(entry, branch);
    return emptyHead(entry, branch);
  }
  const { commit, policy } = await openTip(source, tip);
  return { branch, commit, policy };
}

/** What a first commit is planned on. */
export const emptyHead = (entry: RepositoryEntry, branch: string): PlannedHead => ({
  branch,
  commit: null,
  policy: createPolicy({ entry, headWiki: NO_WIKI, citedWiki: NO_WIKI }),
});

async function openTip(
  { entry, reader }: HeadSource,
  tip: ObjectId,
): Promise<{ commit: Commit; policy: Policy }> {
  const { outcome } = await openCommit({
    entry,
    reader,
    open: false,
    commitSha: tip,
    pinned: false,
    head: null,
    reachable: true,
  });
  switch (outcome.status) {
    case "ok":
      return outcome;
    case "missing":
      throw new GitpinError(
        "upstream_unexpected",
        `GitHub named ${tip} as the tip of a branch and then did not have it.`,
        "Try again in a few seconds.",
      );
    case "blocked":
      throw new GitpinError(
        "write_not_allowed",
        outcome.reason,
        "Mend the repository's policy file by other means; nothing was changed.",
        { repository: entry.name, rule: "wiki" },
      );
  }
}

async function orEmpty<T>(ask: () => Promise<T | null>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GitpinError && error.code === "repository_empty") return null;
    throw error;
  }
}

const branchMissing = ({ name }: RepositoryEntry, branch: string): GitpinError =>
  new GitpinError(
    "branch_missing",
    `${name} has no branch ${JSON.stringify(branch)}.`,
    "Nothing was changed. Name a branch that is there, or make this one with create_branch true.",
    { repository: name, branch },
  );
