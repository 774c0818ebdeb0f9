/** All paths of a commit, or an error: what compares or counts trees must not work on a part of one. */
import type { TreeEntry } from "../core/git/tree-entry.ts";
import { GitpinError } from "../errors.ts";
import type { Assurance, Commit, RepositoryReader } from "../ports/repository-reader.ts";

export interface WholeTree {
  /** Everything that is not a directory, in git's order. */
  entries: TreeEntry[];
  assurance: Assurance;
}

/** Throws `tree_incomplete` where one call does not suffice to walk it. */
export async function wholeTree(reader: RepositoryReader, commit: Commit): Promise<WholeTree> {
  const { entries, assurance, complete } = await reader.paths(commit);
  if (complete) return { entries, assurance };
  throw new GitpinError(
    "tree_incomplete",
    `The tree of ${commit.sha} is larger than one call reads.`,
    "Call again: what was read is kept, and the next call goes on from there.",
    { sha: commit.sha },
  );
}
