// One commit of changed files, made on a branch's head and put onto the branch: what the contents API and the GraphQL mutation
// `createCommitOnBranch` do in one request. Owns: the order (tree, commit, then the ref, only from that head).
import { type CommitAuthor, commitText } from "../../git/commit-text.ts";
import { editTree, type TreeChange } from "../../git/edited-tree.ts";
import type { RepositoryExchange } from "../../http/exchange.ts";
import { changeRefs, type Refusal } from "./ref-changes.ts";

export interface BranchCommit {
  /** Without `refs/heads/`. */
  branch: string;
  /** Where the branch stands; null: it is made, with a commit without parents. */
  head: string | null;
  changes: readonly TreeChange[];
  message: string;
  author: CommitAuthor;
  committer: CommitAuthor;
}

/** Gives the commit's id, or why the branch did not move. Throws `ImpossibleChange`. */
export async function commitToBranch(
  exchange: RepositoryExchange,
  wanted: BranchCommit,
): Promise<{ sha: string; refusal: Refusal | null }> {
  const { branch, head, changes, message, author, committer } = wanted;
  const { git } = exchange.repository;
  const base = head === null ? null : ((await git.commit(head))?.tree ?? null);
  const tree = await editTree(git, base, changes);
  const parents = head === null ? [] : [head];
  const sha = await git.writer.commit(commitText({ tree, parents, author, committer, message }));
  const change = { name: `refs/heads/${branch}`, from: head, to: sha, force: false };
  return { sha, refusal: await changeRefs(exchange, [change]) };
}
