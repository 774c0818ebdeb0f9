// Moves refs of a served clone, all of one call or none, each only from where it is said to stand (compare and swap).
// Owns: bringing over the objects that a move needs, and the two ways to move. A clone that nobody works in: git update-ref.
// One with a work tree: a push into it with `receive.denyCurrentBranch=updateInstead`, so that a clean work tree follows and
// one with changes refuses. Hooks never run. Refuses: touching uncommitted work.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pushInto } from "./push-into.ts";
import type { GitRepository } from "./repository.ts";
import { GitFailure, runGit } from "./run.ts";

export interface RefMove {
  /** Full name, valid. */
  name: string;
  /** Where it must stand; null: nowhere yet. */
  from: string | null;
  /** Null: it is taken away. */
  to: string | null;
}

/**
 * `raced`: one of them stands elsewhere. `refused`: git's own words; `workTree` when it is about files that somebody works
 * on. Nothing moved in both.
 */
export type MoveOutcome =
  | { status: "moved" }
  | { status: "raced" }
  | { status: "refused"; words: string; workTree: boolean };

const ZERO = "0".repeat(40);
const queues = new WeakMap<GitRepository, Promise<unknown>>();

/** Moves of one repository wait for each other; what others do to the clone meanwhile is git's to notice. */
export function moveRefs(git: GitRepository, moves: readonly RefMove[]): Promise<MoveOutcome> {
  const turn = (queues.get(git) ?? Promise.resolve()).then(() => move(git, moves));
  queues.set(
    git,
    turn.catch(() => undefined),
  );
  return turn;
}

async function move(git: GitRepository, moves: readonly RefMove[]): Promise<MoveOutcome> {
  if (!(await allStand(git, moves))) return { status: "raced" };
  const due = moves.filter(({ from, to }) => from !== to);
  if (due.length === 0) return { status: "moved" };
  const refusal = (await isWorkedIn(git)) ? await pushInto(git, due) : await updateRefs(git, due);
  if (refusal === null) return { status: "moved" };
  if (!(await allStand(git, moves))) return { status: "raced" };
  return { status: "refused", ...refusal };
}

async function allStand(git: GitRepository, moves: readonly RefMove[]): Promise<boolean> {
  const found = await git.refs(...moves.map(({ name }) => name));
  const now = new Map(found.map(({ name, sha }) => [name, sha]));
  return moves.every(({ name, from }) => (now.get(name) ?? null) === from);
}

/** Whether a work tree belongs to the clone: its own, or linked ones. */
async function isWorkedIn({ places }: GitRepository): Promise<boolean> {
  if (!places.bare) return true;
  const linked = await readdir(join(places.commonDirectory, "worktrees")).catch(() => []);
  return linked.length > 0;
}

async function updateRefs(
  git: GitRepository,
  moves: readonly RefMove[],
): Promise<{ words: string; workTree: false } | null> {
  for (const { to } of moves) if (to !== null) await bringOver(git, to);
  const commands = moves.map(({ name, from, to }) => {
    if (to === null) return `delete ${name} ${from ?? ZERO}\n`;
    return `update ${name} ${to} ${from ?? ZERO}\n`;
  });
  try {
    await git.runOnClone(["update-ref", "--stdin"], [0], commands.join(""));
    return null;
  } catch (reason) {
    if (reason instanceof GitFailure) return { words: reason.stderr.trim(), workTree: false };
    throw reason;
  }
}

/** Puts what `sha` leads to, and the clone has not, into the clone's store: no ref is changed by it. */
async function bringOver(git: GitRepository, sha: string): Promise<void> {
  const known = await Promise.all((await git.refs()).map((ref) => git.info(ref.sha)));
  const there = new Set(known.flatMap((info) => (info === null ? [] : [info.sha])));
  const pack = await runGit(["pack-objects", "--revs", "--local", "--stdout", "-q"], {
    cwd: git.noHooks,
    env: git.storeEnvironment,
    input: [sha, "--not", ...there, ""].join("\n"),
  });
  // The number of objects: gitformat-pack(5).
  if (pack.stdout.readUInt32BE(8) === 0) return;
  const { GIT_ALTERNATE_OBJECT_DIRECTORIES: _, ...own } = git.storeEnvironment;
  const env = { ...own, GIT_OBJECT_DIRECTORY: git.places.objects[0] ?? "" };
  await runGit(["unpack-objects", "-q"], { cwd: git.noHooks, env, input: pack.stdout });
}
