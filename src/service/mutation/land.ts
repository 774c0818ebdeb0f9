/**
 * From a call to a commit on its branch, in the branch's turn: plan at the tip, make the commit, move the branch from that tip
 * and nowhere else. A race lost to someone outside is planned again on what they left, a few times. Nothing lands in part:
 * until the one step that moves the branch nothing refers to what was made.
 */
import { mintRepositoryBase } from "../../core/entity/bases.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import { GitpinError } from "../../errors.ts";
import type { Commit } from "../../ports/repository-reader.ts";
import type { BranchInTheWay, CommitFile, RefMove } from "../../ports/repository-writer.ts";
import type { MutationResult } from "../../schema/mutation-result.ts";
import { webPage } from "../web-page.ts";
import { commitMessage } from "./message.ts";
import type { RequestKeeper } from "./once.ts";
import { planAt } from "./plan-at.ts";
import { emptyHead, plannedHead } from "./planned-head.ts";
import { type Planned, receiptOf } from "./receipt.ts";
import { conflictResult, refusedResult } from "./refusal.ts";
import { isHead } from "./target.ts";
import type { MutationWork } from "./work.ts";

/** How often a lost race is planned again, and the longest wait before the first time; it doubles. */
const RACES = { again: 5, firstWaitMs: 100 } as const;

/** A receipt that landed, or what stopped the call. */
export async function land(work: MutationWork, request: RequestKeeper): Promise<MutationResult> {
  const { repositoryId, target, writing } = work;
  return await writing.queue.inTurn({ repositoryId, branch: target.branch }, async () => {
    for (let races = 0; ; races++) {
      const recovered = await request.landedEarlier((commit) => receiptOfFirst(work, commit));
      if (recovered !== null) return recovered;
      const head = await plannedHead(work, target.create ? target.baseBranch : target.branch);
      const unmakable = target.create ? notToBeMade(work, head.commit) : null;
      if (unmakable !== null) return unmakable;
      const attempt = await planAt(work, head);
      if (attempt.status === "stopped") return attempt.result;
      const receipt = await commit(work, attempt.planned, request);
      if (receipt !== null) return receipt;
      if (target.create) return branchExists(work);
      if (races === RACES.again) return await outraced(work, races + 1);
      const most = RACES.firstWaitMs * 2 ** races;
      await writing.wait(most / 2 + writing.random(most / 2));
    }
  });
}

/** Null: the branch moved meanwhile (or, of a new one, is there already), so nothing changed. */
async function commit(
  work: MutationWork,
  planned: Planned,
  request: RequestKeeper,
): Promise<MutationResult | null> {
  const { input, call, writer, target } = work;
  const { plan, parent, parentTree, tree } = planned;
  const files: CommitFile[] = plan.files;
  const message = commitMessage(input, plan, call.caller);
  if (parent === null || parentTree === null) return await firstCommit(work, planned, message, request);
  const made = await writer.prepare({ parent, parentTree, files, tree, message });
  const receipt = receiptFor(work, planned, made);
  await request.announce(made, receipt);
  const moved = await moveBranch(work, parent, made);
  if (moved === "raced") return null;
  if (moved !== "moved") return branchInTheWay(work, moved.inTheWay);
  writer.wrote(target.branch, made, files);
  return receipt;
}

async function firstCommit(
  work: MutationWork,
  planned: Planned,
  message: string,
  request: RequestKeeper,
): Promise<MutationResult | null> {
  const { writer, target } = work;
  const [file, ...more] = planned.plan.files;
  if (file === undefined || more.length > 0) throw new TypeError("a first commit is of one file");
  await request.announceFirst(planned.tree, message);
  const made = await writer.firstCommit(file, target.branch, message);
  if (made === null) return null;
  writer.wrote(target.branch, made, [file]);
  return receiptFor(work, planned, made);
}

/** Of a commit that an earlier call made where there was none: planned once more as it was then, since only now its id is known. */
async function receiptOfFirst(work: MutationWork, commit: ObjectId): Promise<MutationResult> {
  const { target, reader } = work;
  const attempt = await planAt(work, emptyHead(work.entry, target.branch));
  const made = await reader.commit(commit);
  if (attempt.status === "planned" && attempt.planned.tree === made?.tree) {
    return receiptFor(work, attempt.planned, commit);
  }
  throw new GitpinError(
    "write_unknown",
    "The commit landed, and this version plans the call in another way than the one that made it: it can write no receipt.",
    "Look at `data.commit`, which is what landed; do not send the change again.",
    { branch: target.branch, commit, landed: true },
  );
}

const receiptFor = (work: MutationWork, planned: Planned, made: ObjectId): MutationResult =>
  receiptOf(planned, made, {
    webUrl: webPage(work.ports, work.entry),
    head: isHead(work.entry, work.defaultBranch, work.target.branch),
  });

const moveBranch = (
  { writer, target: { branch, create } }: MutationWork,
  from: ObjectId,
  to: ObjectId,
): Promise<RefMove | BranchInTheWay> =>
  create ? writer.createBranch(branch, to) : writer.advance(branch, from, to);

const placeOf = ({ entry, target }: MutationWork) => ({ repository: entry.name, branch: target.branch });

async function outraced(work: MutationWork, times: number): Promise<MutationResult> {
  const { branch } = work.target;
  const { commit: now } = await plannedHead(work, branch);
  return conflictResult(placeOf(work), {
    code: "repository_base_conflict",
    applied: false,
    operation: null,
    reason: `Others moved ${branch} each of the ${times} times that this call was about to.`,
    next_step: "Send the same call again, with the same bases: what still stands is carried over.",
    current_repository_base: mintRepositoryBase({
      repository: work.entry.name,
      branch,
      head: now?.sha ?? null,
      tree: now?.tree ?? null,
    }),
  });
}

export const branchExists = (work: MutationWork): MutationResult =>
  refusedResult(placeOf(work), {
    code: "branch_exists",
    applied: false,
    operation: null,
    reason: `There is a branch ${work.target.branch} already.`,
    next_step: "Choose another name, or leave create_branch out to commit to that branch.",
  });

export const branchInTheWay = (work: MutationWork, other: string): MutationResult =>
  refusedResult(placeOf(work), {
    code: "branch_exists",
    applied: false,
    operation: null,
    reason: `There is a branch ${other}, and git keeps no branch ${work.target.branch} beside it: the one name continues the other.`,
    next_step: `Choose a name that neither begins with the whole name of a branch and a slash nor is such a beginning, e.g. ${work.target.branch.replaceAll("/", "-")}.`,
  });

/**
 * Why the new branch cannot be made, as far as its name and its start tell: what costs no request. `start`: the commit of the branch
 * it starts from, which is there if that is.
 */
export function notToBeMade(work: MutationWork, start: Commit | null): MutationResult | null {
  const { branch, baseBranch } = work.target;
  if (start === null) return emptyRepository(work);
  const clash = branch.startsWith(`${baseBranch}/`) || baseBranch.startsWith(`${branch}/`);
  return clash ? branchInTheWay(work, baseBranch) : null;
}

const emptyRepository = (work: MutationWork): MutationResult =>
  refusedResult(placeOf(work), {
    code: "repository_empty",
    applied: false,
    operation: null,
    reason: "The repository has no commit yet, so no branch can start from one.",
    next_step: `Send the call without create_branch and pull_request: its first commit goes to ${work.target.baseBranch}.`,
  });
