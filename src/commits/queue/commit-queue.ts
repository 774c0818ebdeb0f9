/**
 * The queue as who commits sees it: take a turn, work, always end it. Over the objects that keep the turns, or within one process.
 * A queue that cannot be asked lets work through: it only saves work (`branch-turns.ts`), so its absence must not stop commits.
 */
import { GitpinError } from "../../errors.ts";
import type { BranchKey, CommitQueue } from "../../ports/commit-queue.ts";
import type { Timer } from "../../ports/timer.ts";
import { BranchTurns } from "./branch-turns.ts";

/** `BranchTurns` from outside. */
export interface Turns {
  take(): Promise<string | null>;
  confirm(turn: string): Promise<void>;
  release(turn: string): Promise<void>;
}

/** When others may be done: a commit takes a second or two, and a queue is not that long twice. */
const RETRY_AFTER_SECONDS = 10;

/** `open` gives the turns of a branch; asked for each call, since a stub of an object belongs to the request that made it. */
export function commitQueue(open: (branch: BranchKey) => Turns): CommitQueue {
  return {
    async inTurn(branch, work) {
      const turn = await taken(() => open(branch));
      if (turn === null) throw busy(branch);
      if (turn === "unasked") return await work();
      // Not waited for: if it comes too late the turn goes to the next, which costs work and no more.
      const confirmed = quietly(open(branch).confirm(turn));
      try {
        return await work();
      } finally {
        await confirmed;
        await quietly(open(branch).release(turn));
      }
    },
  };
}

/** A restart of the object ends all waiting, so it is asked once more. */
async function taken(open: () => Turns): Promise<string | "unasked" | null> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await open().take();
    } catch {
      // The object is gone or overloaded; what it would say is not needed to go on.
    }
  }
  return "unasked";
}

/** A turn that cannot be confirmed or ended ends by itself. */
const quietly = (told: Promise<void>): Promise<void> => told.catch(() => undefined);

const busy = ({ branch }: BranchKey): GitpinError =>
  new GitpinError(
    "branch_busy",
    `Others are committing to ${branch}, and this call's turn did not come.`,
    `Nothing was changed. Wait ${RETRY_AFTER_SECONDS} seconds, then send the same call again.`,
    { branch, retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

/** One object's name: branches of one repository never wait for another's. */
export const queueName = ({ repositoryId, branch }: BranchKey): string => `${repositoryId}:${branch}`;

/** For one process alone. `epoch`: see `BranchTurns`. */
export function inProcessQueue(timer: Timer): CommitQueue {
  const branches = new Map<string, BranchTurns>();
  let made = 0;
  const turnsOf = (name: string): BranchTurns => {
    for (const [other, turns] of branches) if (other !== name && turns.idle) branches.delete(other);
    const known = branches.get(name);
    if (known !== undefined) return known;
    made += 1;
    const turns = new BranchTurns(String(made), timer);
    branches.set(name, turns);
    return turns;
  };
  return commitQueue((branch) => {
    const turns = turnsOf(queueName(branch));
    return {
      take: () => turns.take(),
      confirm: async (turn) => turns.confirm(turn),
      release: async (turn) => turns.release(turn),
    };
  });
}
