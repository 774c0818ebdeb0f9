/**
 * The first commit of an empty repository, of one file: GitHub makes it through the contents API alone. That compares nothing, so the
 * answer tells whether the repository was still empty; what was not told is read from the branch, at once or by a later call.
 */
import * as z from "zod";
import type { HostCommit } from "../../core/git/commit-rebuild.ts";
import { editedTree } from "../../core/git/edited-tree.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import { EMPTY_TREE } from "../../core/git/tree.ts";
import { GitpinError } from "../../errors.ts";
import { LOG_AT_MOST } from "../../ports/repository-history.ts";
import type { CommitFile } from "../../ports/repository-writer.ts";
import { gitCommitAnswer } from "../answers.ts";
import { readCommit } from "../commits.ts";
import { readLog } from "../history.ts";
import { assertBranchName, readTip } from "./branches.ts";
import { knownReason, reasonOf, type Step, textOf } from "./refusal.ts";
import { sent, type WritableRepository } from "./writable-repository.ts";
import { landedOtherwise, writeUnknown } from "./write-failure.ts";

export interface FirstCommit {
  sha: ObjectId;
  /** Null where only the id was found out. */
  host: HostCommit | null;
  tree: ObjectId;
}

const contentsAnswer = z.object({ content: z.object({ sha: z.string() }), commit: gitCommitAnswer });

const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The root tree of a repository that holds that file alone. */
function treeOf(file: CommitFile): ObjectId {
  if (file.mode !== "100644") throw new RangeError(`the contents API makes no file of mode ${file.mode}`);
  const made = editedTree(EMPTY_TREE, new Map(), [file]);
  if (!("root" in made)) throw new TypeError(`no tree can be made of ${made.fault}`);
  return made.root;
}

/** What became of a request whose outcome was not told: landed, nothing yet, or null for another's commit. */
async function readBack(
  repository: WritableRepository,
  branch: string,
  tree: ObjectId,
  message: string,
): Promise<FirstCommit | "nothing" | null> {
  try {
    const sha = await readTip(repository, branch);
    const commit = sha === null ? null : await readCommit(repository, sha);
    if (commit === null) return null;
    if (commit.parents.length > 0) throw writeUnknown(branch, null);
    return commit.tree === tree && commit.message === message ? { sha: commit.sha, host: null, tree } : null;
  } catch (thrown) {
    if (thrown instanceof GitpinError && thrown.code === "repository_empty") return "nothing";
    throw writeUnknown(branch, null);
  }
}

/** What a first commit was to hold: its root tree, and its whole message, which names its request. */
export interface FirstCommitTold {
  tree: ObjectId;
  message: string;
}

/** The root of a branch's history if it is that commit; null where it is not. Throws `write_unknown` where that cannot be told. */
export async function findFirstCommit(
  repository: WritableRepository,
  branch: string,
  { tree, message }: FirstCommitTold,
): Promise<ObjectId | null> {
  const tip = await orEmpty(readTip(repository, branch));
  if (tip === null) return null;
  const log = await readLog(repository, tip, LOG_AT_MOST);
  const said = log.find((commit) => commit.message === message);
  const made = said === undefined ? null : await readCommit(repository, said.sha);
  if (made !== null) {
    if (made.parents.length === 0 && made.tree === tree) return made.sha;
    throw landedOtherwise(branch, made.sha);
  }
  if (log.length === LOG_AT_MOST) throw writeUnknown(branch, null);
  return null;
}

async function orEmpty<T>(asked: Promise<T | null>): Promise<T | null> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof GitpinError && thrown.code === "repository_empty") return null;
    throw thrown;
  }
}

/**
 * Null: the repository has commits by now, and none of ours. Throws `write_unknown`, with the commit's id, where ours landed on somebody's
 * first commit that came in between.
 */
export async function makeFirstCommit(
  repository: WritableRepository,
  file: CommitFile,
  branch: string,
  message: string,
): Promise<FirstCommit | null> {
  assertBranchName(branch);
  const tree = treeOf(file);
  const what = "a first commit";
  const body = { message, content: Buffer.from(file.bytes).toString("base64"), branch };
  for (let tries = 0; tries < 2; tries++) {
    const answer = await sent(
      repository.send({
        method: "PUT",
        path: `/contents/${encodedPath(file.path)}`,
        body,
        what,
        access: "write",
      }),
      contentsAnswer,
      what,
    ).catch((thrown: unknown) => {
      // What became of a first try is not known.
      throw tries === 0 ? thrown : writeUnknown(branch, null);
    });
    if (answer.status === "done") {
      const { content, commit } = answer.data;
      const planned = content.sha === file.blob && commit.tree === tree && commit.parents.length === 0;
      if (!planned) throw landedOtherwise(branch, commit.sha);
      return { sha: commit.sha, host: commit, tree };
    }
    if (answer.status === "refused") {
      const step: Step = { what, branch: { name: branch, step: "first" }, paths: [file.path] };
      const known = knownReason(repository, answer, step);
      if (known !== null) throw tries === 0 ? known : writeUnknown(branch, null);
      const occupied = /branch .* not found|"sha" wasn't supplied|does not match|but expected/i;
      if (!occupied.test(textOf(answer))) {
        throw tries === 0 ? await reasonOf(repository, answer, step) : writeUnknown(branch, null);
      }
      // It may be the answer to what a first try of ours had done.
      if (tries === 0) return null;
    }
    const found = await readBack(repository, branch, tree, message);
    if (found !== "nothing") return found;
  }
  throw writeUnknown(branch, null);
}
