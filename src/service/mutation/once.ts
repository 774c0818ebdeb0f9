/**
 * That a call with a `request_id` commits at most once, whatever is cut off in between. A commit that is about to land is written
 * down with its receipt before its branch moves; a repeat finds it there and asks the host whether it did. Only commits settle
 * an id: after a conflict or refusal the same id may be sent again.
 */
import type { ObjectId } from "../../core/git/object-id.ts";
import { GitpinError } from "../../errors.ts";
import { leavesOpen } from "../../ports/repository-writer.ts";
import type { Claim, Intent } from "../../ports/request-ledger.ts";
import { type MutationResult, mutationResult } from "../../schema/mutation-result.ts";
import { argumentsDigest } from "./canonical.ts";
import { nothingChanged, perhapsChanged } from "./what-changed.ts";
import type { MutationWork } from "./work.ts";

/** The receipt of a first commit that is in its branch. */
export type FirstReceipt = (commit: ObjectId) => Promise<MutationResult>;

export interface RequestKeeper {
  /**
   * The receipt of an earlier call with this id whose commit is in its branch, or, where that is gone, in the one it came from; null:
   * none is.
   */
  landedEarlier(receiptOfFirst: FirstReceipt): Promise<MutationResult | null>;
  /** Writes a commit down that is about to land. Throws where it cannot be: then nothing may be moved. */
  announce(commit: ObjectId, receipt: MutationResult): Promise<void>;
  /** The same for a first commit, which has no id yet. */
  announceFirst(tree: ObjectId, message: string): Promise<void>;
}

export interface CommitSteps {
  /** Gives a receipt that landed, or what stopped the call. */
  run(keeper: RequestKeeper): Promise<MutationResult>;
  /** What an earlier call could not do beside its commit, done now: the receipt with that, or null. Never throws. */
  again(receipt: MutationResult): Promise<MutationResult | null>;
}

/** For calls without an id. */
const UNKEPT: RequestKeeper = {
  landedEarlier: () => Promise.resolve(null),
  announce: () => Promise.resolve(),
  announceFirst: () => Promise.resolve(),
};

/**
 * Runs `run` for an id that nobody has used, else answers for it.
 * Throws `request_id_mismatch`, `request_in_progress`.
 */
export async function once(work: MutationWork, { run, again }: CommitSteps): Promise<MutationResult> {
  const { input, call, writing } = work;
  const { request_id: id, ...given } = input;
  if (id === undefined) return await unkept(run);
  const { requests } = writing;
  const claim = await requests.claim(call.caller, id, argumentsDigest(given));
  switch (claim.status) {
    case "settled":
      return await repeated(work, id, claim, again);
    case "mismatch":
      throw mismatch();
    case "in_progress":
      throw inProgress(claim.retryAfterSeconds);
    case "claimed": {
      const keeper = keeperOf(work, id, claim.fence, claim.earlier);
      try {
        const result = await run(keeper);
        if (result.status === "committed") {
          await requests.settle(call.caller, id, claim.fence, JSON.stringify(result));
        } else await requests.release(call.caller, id, claim.fence);
        return result;
      } catch (error) {
        // Whether a commit landed may be unknown: then the id stays taken, and a repeat finds out.
        if (keeper.open(error)) throw perhapsChanged(error, true);
        await requests.release(call.caller, id, claim.fence);
        throw leavesOpen(error) ? perhapsChanged(error, false) : nothingChanged(error);
      }
    }
  }
}

/** The receipt of before, with what could be made up for. */
async function repeated(
  { call, writing }: MutationWork,
  id: string,
  { fence, receipt }: Extract<Claim, { status: "settled" }>,
  again: CommitSteps["again"],
): Promise<MutationResult> {
  const earlier = readReceipt(receipt);
  const better = await again(earlier);
  if (better !== null) await writing.requests.amend(call.caller, id, fence, JSON.stringify(better));
  return { ...(better ?? earlier), already_applied: true };
}

async function unkept(run: CommitSteps["run"]): Promise<MutationResult> {
  try {
    return await run(UNKEPT);
  } catch (error) {
    throw leavesOpen(error) ? perhapsChanged(error, false) : nothingChanged(error);
  }
}

/** `open`: after this error it is not known of each commit that was written down whether it landed. */
function keeperOf(
  work: MutationWork,
  id: string,
  fence: number,
  earlier: readonly Intent[],
): RequestKeeper & { open(error: unknown): boolean } {
  const { call, writing, target, repositoryId } = work;
  let earlierOpen = earlier.length > 0;
  let announced = false;
  const intend = async (intent: Intent): Promise<void> => {
    const held = await writing.requests.intend(call.caller, id, fence, intent);
    if (!held) throw inProgress(5);
    announced = true;
  };
  return {
    open: (error) => earlierOpen || (announced && leavesOpen(error)),
    async landedEarlier(receiptOfFirst) {
      earlierOpen = earlier.length > 0;
      for (const intent of earlier.toReversed()) {
        if (intent.repositoryId !== repositoryId) continue;
        const receipt = await receiptIfLanded(work, intent, receiptOfFirst);
        if (receipt !== null) return { ...receipt, already_applied: true };
      }
      earlierOpen = false;
      return null;
    },
    announce: (commit, receipt) =>
      intend({ repositoryId, branch: target.branch, commit, receipt: JSON.stringify(receipt) }),
    announceFirst: (tree, message) =>
      intend({ repositoryId, branch: target.branch, commit: null, tree, message }),
  };
}

async function receiptIfLanded(
  { writer, target: { baseBranch } }: MutationWork,
  intent: Intent,
  receiptOfFirst: FirstReceipt,
): Promise<MutationResult | null> {
  const { branch, commit } = intent;
  if (commit === null) {
    const first = await writer.firstLanded(branch, intent.tree, intent.message);
    return first === null ? null : await receiptOfFirst(first);
  }
  const landed = await writer.landed(branch, commit);
  // A branch that is gone was most likely merged into the one it came from first.
  const merged = landed === null && branch !== baseBranch && (await writer.landed(baseBranch, commit));
  return landed === true || merged === true ? readReceipt(intent.receipt) : null;
}

const readReceipt = (text: string): MutationResult => mutationResult.parse(JSON.parse(text));

const mismatch = (): GitpinError =>
  new GitpinError(
    "request_id_mismatch",
    "This request_id was used before, with other arguments.",
    "Nothing was changed. Send another request_id for another call.",
    { field: "request_id" },
  );

const inProgress = (retryAfterSeconds: number): GitpinError =>
  new GitpinError(
    "request_in_progress",
    "A call with this request_id is at work, or was cut off a moment ago.",
    `Wait ${retryAfterSeconds} seconds, then send the same call again: it answers with what became of the first.`,
    { field: "request_id", retryAfterSeconds },
  );
