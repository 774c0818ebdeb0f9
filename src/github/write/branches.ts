/**
 * Branches: where one stands, moving it, making it. The one step of a commit that others see, so it is taken only from where the caller
 * says the branch stands, and its outcome is never guessed: what the host did not tell is read from the branch, before anything is repeated.
 * GraphQL's `updateRefs` compares and moves in one. A host without it is read first and then moved forward only, which leaves a moment
 * in between (docs/decisions/0008).
 */
import * as z from "zod";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { BranchInTheWay, RefMove } from "../../ports/repository-writer.ts";
import { relationAnswer } from "../answers.ts";
import { unexpected } from "../failure.ts";
import { tipNow } from "../heads.ts";
import { getJson } from "../repository.ts";
import { refusedUntold } from "./branch-refusal.ts";
import { knownReason, reasonOf, type Step, textOf } from "./refusal.ts";
import { type Attempt, swapRef } from "./update-refs.ts";
import { sent, type WritableRepository } from "./writable-repository.ts";
import type { WriteRefused } from "./write-client.ts";
import { branchNameInvalid, writeUnknown } from "./write-failure.ts";

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
const refsAnswer = z.array(z.object({ ref: z.string() }));

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
    const step: Step = { what, branch: { name: branch, step: "move" } };
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
  throw unsure ? writeUnknown(branch, to) : refusedUntold("move", branch);
}

/** Why GitHub does not make a branch: what is in its way is looked for, since GitHub does not say. */
async function notMade(
  repository: WritableRepository,
  branch: string,
  refused: WriteRefused,
): Promise<BranchInTheWay> {
  const step: Step = { what: "a new branch", branch: { name: branch, step: "make" } };
  const failure = await reasonOf(repository, refused, step);
  if (failure.code !== "upstream_unexpected" || refused.http !== 422) throw failure;
  const inTheWay = await branchInTheWay(repository, branch);
  if (inTheWay !== null) return { inTheWay };
  throw /reference update failed/i.test(textOf(refused)) ? refusedUntold("make", branch) : failure;
}

/** Git keeps a branch `a` and a branch `a/b` not beside each other. Null: there is none, or it could not be found out. */
export async function branchInTheWay(repository: WritableRepository, branch: string): Promise<string | null> {
  const segments = branch.split("/");
  const above = segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
  try {
    for (const name of above) if ((await readTip(repository, name)) !== null) return name;
    const path = `/git/matching-refs/heads/${encoded(branch)}/`;
    const answer = await getJson(repository, { path, what: "the branches below a name" }, refsAnswer);
    const below = answer.status === 200 ? answer.data[0] : undefined;
    return below?.ref.replace(/^refs\/heads\//, "") ?? null;
  } catch {
    // It only explains a refusal, or foretells one: what cannot be found out stops nobody.
    return null;
  }
}

/** `ours`: nobody but this call knows of the commit, so a branch that came from it is the one that was made. */
export async function makeBranch(
  repository: WritableRepository,
  branch: string,
  at: ObjectId,
  ours: boolean,
): Promise<RefMove | BranchInTheWay> {
  assertBranchName(branch);
  const what = "a new branch";
  const body = { ref: `refs/heads/${branch}`, sha: at };
  // Whether an earlier request may have made it, or may yet.
  let unsure = false;
  const known = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw unsure ? writeUnknown(branch, at) : thrown;
    }
  };
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await known(() =>
      sent(
        repository.send({ method: "POST", path: "/git/refs", body, what, access: "write" }),
        refAnswer,
        what,
      ),
    );
    if (answer.status === "done" && answer.data.object.sha === at) return "moved";
    const exists = answer.status === "refused" && /reference already exists/i.test(textOf(answer));
    if (answer.status === "refused" && !exists && !unsure) return await notMade(repository, branch, answer);
    unsure ||= answer.status !== "refused";
    const tip = await known(() => readTip(repository, branch));
    if (tip === at) return "moved";
    if (tip !== null) {
      const landed = unsure && ours && (await known(() => leadsTo(repository, at, tip)));
      return landed ? "moved" : "raced";
    }
  }
  if (unsure) throw writeUnknown(branch, at);
  // GitHub says twice that it is there, and does not show it yet.
  return "raced";
}
