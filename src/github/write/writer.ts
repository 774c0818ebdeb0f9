/**
 * The `RepositoryWriter` of one registered repository for one call. Puts the steps of a commit together; asks nothing itself.
 * Reads go with the credential that reads, in the same way and through the same caches as a reader's.
 */
import type { ArchiveStore } from "../../cache/archive/archive-store.ts";
import type { HostCommit } from "../../core/git/commit-rebuild.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import { EMPTY_TREE } from "../../core/git/tree.ts";
import type { RepositoryWriter } from "../../ports/repository-writer.ts";
import { keepCommit, readCommit } from "../commits.ts";
import { tipMoved } from "../heads.ts";
import { keepCommitted } from "../reachability.ts";
import { branchInTheWay, leadsTo, makeBranch, moveBranch, readTip } from "./branches.ts";
import { findFirstCommit, makeFirstCommit } from "./first-commit.ts";
import { makeCommit } from "./git-objects.ts";
import { openPullRequest } from "./pull-requests.ts";
import { keepSearchable } from "./searchable.ts";
import type { WritableRepository } from "./writable-repository.ts";
import { keepWritten } from "./written.ts";

interface Made {
  host: HostCommit | null;
  /** Null: the first commit. */
  parent: ObjectId | null;
  /** Root trees. */
  before: ObjectId;
  after: ObjectId;
}

/** `bind`: asks who the repository is where that is not known. */
export function createWriter(
  bind: () => Promise<WritableRepository>,
  archives: ArchiveStore,
): RepositoryWriter {
  /** What this call made: nobody else knows of it yet. */
  const made = new Map<ObjectId, Made>();
  let bound: WritableRepository | null = null;
  const repository = async (): Promise<WritableRepository> => {
    bound ??= await bind();
    return bound;
  };

  return {
    tip: async (branch) => readTip(await repository(), branch),

    async prepare(request) {
      const host = await makeCommit(await repository(), request);
      const { parent, parentTree, tree } = request;
      made.set(host.sha, { host, parent, before: parentTree, after: tree });
      return host.sha;
    },

    advance: async (branch, from, to) => moveBranch(await repository(), branch, from, to),

    inTheWayOf: async (branch) => branchInTheWay(await repository(), branch),

    createBranch: async (branch, at) => makeBranch(await repository(), branch, at, made.has(at)),

    async firstCommit(file, branch, message) {
      const first = await makeFirstCommit(await repository(), file, branch, message);
      if (first === null) return null;
      made.set(first.sha, { host: first.host, parent: null, before: EMPTY_TREE, after: first.tree });
      return first.sha;
    },

    firstLanded: async (branch, tree, message) =>
      findFirstCommit(await repository(), branch, { tree, message }),

    async landed(branch, commit) {
      const here = await repository();
      const tip = await readTip(here, branch);
      if (tip === null) return null;
      const leads = await leadsTo(here, commit, tip);
      if (leads !== null) return leads;
      // Histories that have nothing in common are compared with the same answer as commits that are not there.
      return (await readCommit(here, commit)) === null ? null : false;
    },

    openPullRequest: async (input) => openPullRequest(await repository(), input),

    wrote(branch, commit, files) {
      if (bound === null) return;
      try {
        keepCommitted(bound, commit);
        tipMoved(bound, branch, commit, bound.defaultBranch().known);
        const known = made.get(commit);
        if (known === undefined) return;
        if (known.host !== null) keepCommit(bound, known.host);
        keepWritten(bound, { ...known, files });
        if (known.parent !== null) keepSearchable(bound, archives, { parent: known.parent, commit, files });
      } catch {
        // A cache that was not told asks the host: slower, and no less right.
      }
    },
  };
}
