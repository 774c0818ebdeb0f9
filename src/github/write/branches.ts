/**
 * Branches: where one stands, moving it, making it. The one step of a commit that others see, so it is taken only from where the caller
 * says the branch stands, and its outcome is never guessed: what the host did not tell is read from the branch, before anything is repeated.
 * GraphQL's `updateRefs` compares and moves in one. A host without it is read first and then moved forward only, which leaves a moment
 * in between (docs/decisions/0008).
 */
import * as z from "zod";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { RefMove } from "../../ports/repository-writer.ts";
import { relationAnswer } from "../answers.ts";
import { unexpected } from "../failure.ts";
import { tipNow } from "../heads.ts";
import { getJson } from "../repository.ts";
import { knownReason, reasonOf, textOf } from "./refusal.ts";
import { type Attempt, swapRef } from "./update-refs.ts";
import { sent, type WritableRepository } from "./writable-repository.ts";
import { branchNameInvalid, branchProtected, writeUnknown } from "./write-failure.ts";

const TRIES = 2;
/** What git forbids in a ref's name, and what GitHub does beyond it: names that look like object ids or full refs. */
const FORBIDDEN =
  /^$|^[-/]|\/$|\.$|\/\/|\.\.|@\{|^@$|[\s~^:?*[\\\p{Cc}]|(?:^|\/)\.|\.lock(?:\/|$)|^(?:HEAD|refs\/.*|[0-9a-f]{40})$/u;

/** Throws `invalid_argument`: nothing that is no name of a branch gets into an address. */
export function assertBranchName(branch: string): void {
  if (FORBIDDEN.test(branch) || !branch.isWellFormed() || branch.length > 255)
    throw branchNameInvalid(branch);
}

const encoded = (branch: string): string => branch.split("/").map(encodeURIComponent).join("/");

const refAnswer = z.object({ object: z.object({ sha: z.string() }) });

export function readTip(repository: WritableRepository, branch: string): Promise<ObjectId | null> {
  assertBranchName(branch);
  return tipNow(repository, branch, repository.defaultBranch());
}

/** Whether `sha` is `tip` or an ancestor of it; null: the repository has no such commit. */
export async function leadsTo(
  repository: WritableRepository,
  sha: ObjectId,
  tip: ObjectId,
): Promise<boolean | null> {
  if (sha === tip) return true;
  const what = "the comparison of two commits";
  // Not by way of the cache: what is not there yet must not be remembered as missing.
  const path = `/compare/${sha}...${tip}?per_page=1&page=2`;
  const answer = await getJson(repository, { path, what }, relationAnswer);
  if (answer.status === 200) return answer.data.behind === 0;
  if (answer.status !== 404) throw unexpected(what, `HTTP ${answer.status}`);
  await repository.confirm();
  return null;
}

/** Forward only, from where the branch stands now. */
async function patchRef(
  repository: WritableRepository,
  branch: string,
  from: ObjectId,
  to: ObjectId,
): Promise<Attempt> {
  if ((await readTip(repository, branch)) !== from) return { outcome: "refused", failure: null };
  const what = "the move of a branch";
  const answer = await sent(
    repository.send({
      method: "PATCH",
      path: `/git/refs/heads/${encoded(branch)}`,
      body: { sha: to, force: false },
      what,
      access: "write",
    }),
    refAnswer,
    what,
  );
  if (answer.status === "refused") {
    const step = { what, branch };
    // It may be about where the branch stands, or a rule whose words nobody knows: that is read off the branch.
    const open = answer.http === 409 || answer.http === 422;
    const failure = open ? knownReason(repository, answer, step) : await reasonOf(repository, answer, step);
    return { outcome: "refused", failure };
  }
  return { outcome: answer.status === "done" && answer.data.object.sha === to ? "moved" : "unknown" };
}

async function attempt(
  repository: WritableRepository,
  branch: string,
  from: ObjectId,
  to: ObjectId,
): Promise<Attempt> {
  if (!repository.lacksUpdateRefs.known) {
    const swapped = await swapRef(repository, branch, from, to);
    if (swapped.outcome !== "unsupported") return swapped;
    repository.lacksUpdateRefs.known = true;
  }
  return patchRef(repository, branch, from, to);
}

export async function moveBranch(
  repository: WritableRepository,
  branch: string,
  from: ObjectId,
  to: ObjectId,
): Promise<RefMove> {
  assertBranchName(branch);
  // Whether an earlier attempt may have moved it, or may yet.
  let unsure = false;
  const known = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (thrown) {
      throw unsure ? writeUnknown(branch, to) : thrown;
    }
  };
  for (let tries = 0; tries < TRIES; tries++) {
    const tried = await known(() => attempt(repository, branch, from, to));
    if (tried.outcome === "moved") return "moved";
    unsure ||= tried.outcome === "unknown";
    if (tried.outcome === "refused" && tried.failure !== null && !unsure) throw tried.failure;
    const tip = await known(() => readTip(repository, branch));
    if (tip === to) return "moved";
    if (tip !== from) {
      const landed = unsure && tip !== null && (await known(() => leadsTo(repository, to, tip)));
      return landed ? "moved" : "raced";
    }
    // What GitHub's rules refuse now they refused before.
    if (tried.outcome === "refused" && tried.failure?.code === "branch_protected") throw tried.failure;
  }
  throw unsure ? writeUnknown(branch, to) : branchProtected(branch, false);
}

/** `ours`: nobody but this call knows of the commit, so a branch that came from it is the one that was made. */
export async function makeBranch(
  repository: WritableRepository,
  branch: string,
  at: ObjectId,
  ours: boolean,
): Promise<RefMove> {
  assertBranchName(branch);
  const what = "a new branch";
  const body = { ref: `refs/heads/${branch}`, sha: at };
  for (let tries = 0; ; tries++) {
    const answer = await sent(
      repository.send({ method: "POST", path: "/git/refs", body, what, access: "write" }),
      refAnswer,
      what,
    );
    if (answer.status === "done" && answer.data.object.sha === at) return "moved";
    const exists = answer.status === "refused" && /reference already exists/i.test(textOf(answer));
    if (answer.status === "refused" && !exists) {
      const failure = await reasonOf(repository, answer, { what, branch });
      // All that GitHub says where a rule, or another branch's name, is in the way.
      const taken = failure.code === "upstream_unexpected" && /reference update failed/i.test(textOf(answer));
      throw taken ? branchProtected(branch, false) : failure;
    }
    const unsure = answer.status !== "refused" || tries > 0;
    try {
      const tip = await readTip(repository, branch);
      if (tip === at) return "moved";
      if (tip !== null) return unsure && ours && (await leadsTo(repository, at, tip)) ? "moved" : "raced";
    } catch (thrown) {
      throw unsure ? writeUnknown(branch, at) : thrown;
    }
    if (tries > 0) throw writeUnknown(branch, at);
  }
}
