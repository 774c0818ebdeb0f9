/**
 * `kin_mutate`: the order of one call. Scope, bases, repository and branch first, then (unless it is a dry run) the request id, the
 * branch's turn, the commit, and what follows it. Answers a receipt, a plan, a conflict or a refusal; throws what is neither.
 */
import { assertMayWrite, mayWriteBranch } from "../../core/policy/writable.ts";
import { GitpinError } from "../../errors.ts";
import type { Call } from "../../ports/call.ts";
import type { MutateInput } from "../../schema/mutation.ts";
import type { MutationResult } from "../../schema/mutation-result.ts";
import { registered } from "../registered.ts";
import type { ServicePorts } from "../service-ports.ts";
import { afterLanding, pullRequestAgain } from "./after-landing.ts";
import { readAsked } from "./asked.ts";
import { branchExists, branchInTheWay, land, notToBeMade } from "./land.ts";
import { leadOn } from "./lead-on.ts";
import { once } from "./once.ts";
import { planAt } from "./plan-at.ts";
import { plannedHead } from "./planned-head.ts";
import { planReport } from "./receipt.ts";
import { refusedResult } from "./refusal.ts";
import { shownNow } from "./shown-now.ts";
import { targetOf } from "./target.ts";
import type { MutationWork } from "./work.ts";

export const WRITE_SCOPE = "kin:write";

export async function mutate(ports: ServicePorts, input: MutateInput, call: Call): Promise<MutationResult> {
  if (!call.caller.scopes.includes(WRITE_SCOPE)) throw unknown();
  const asked = readAsked(input.operations);
  if ("code" in asked) return refusedResult({ repository: null, branch: null }, asked);
  const entry = await registered(ports, call, asked.repository);
  const target = targetOf(input, asked.branch);
  assertMayWrite(entry, { team: call.caller.team, branch: target.branch, paths: [] });
  const { entities: parser, writing } = ports;
  if (parser === null) throw unparsed();
  if (writing === null) throw unwritten();
  const reader = ports.open(entry, call);
  const writer = writing.open(entry, call);
  // Known for an hour; with it the default branch's tip is HEAD as well, and is asked for once.
  const { id: repositoryId, defaultBranch } = await reader.identity();
  const about = { ports, call, input, asked, target, entry, repositoryId, defaultBranch };
  const parts = { ...about, parser, writing, reader, writer };
  const running = input.dry_run === true ? rehearsed(parts) : committed(parts);
  // Who leaves in the middle must not leave a commit without its receipt.
  call.background.keepAlive(Promise.allSettled([running]));
  const result = await running;
  if (result.commitSha !== undefined) call.ledger.commits.add(result.commitSha);
  return { ...result, next: leadOn(parts, result) };
}

async function committed(work: MutationWork): Promise<MutationResult> {
  await assertBaseReadable(work);
  const result = await once(work, {
    async run(keeper) {
      const landed = await land(work, keeper);
      return landed.status === "committed" ? await afterLanding(work, landed) : landed;
    },
    again: (receipt) => pullRequestAgain(work, receipt),
  });
  return result.already_applied === true ? await shownNow(work, result) : result;
}

/** A dry run takes no turn and claims no id: it changes nothing that others could wait for. */
async function rehearsed(work: MutationWork): Promise<MutationResult> {
  const { target, writer } = work;
  await assertBaseReadable(work);
  const head = await plannedHead(work, target.create ? target.baseBranch : target.branch);
  const unmakable = target.create ? notToBeMade(work, head.commit) : null;
  if (unmakable !== null) return unmakable;
  if (target.create) {
    if ((await writer.tip(target.branch)) !== null) return branchExists(work);
    const other = await writer.inTheWayOf(target.branch);
    if (other !== null) return branchInTheWay(work, other);
  }
  const attempt = await planAt(work, head);
  if (attempt.status === "stopped") return attempt.result;
  return planReport(attempt.planned);
}

/**
 * A new branch shows what it starts from, and a pull request what it is for; a base is no permission. So the branch of the bases must be
 * one that the caller may read: a registered or a writable one.
 */
async function assertBaseReadable({ target, entry, reader }: MutationWork): Promise<void> {
  if (target.branch === target.baseBranch || mayWriteBranch(entry, target.baseBranch).allowed) return;
  try {
    await reader.head(target.baseBranch);
  } catch (error) {
    if (!(error instanceof GitpinError) || error.code !== "repository_empty") throw error;
  }
}

/** What somebody gets who asks for something that is not there: to callers without the scope this tool is not. */
const unknown = (): GitpinError =>
  new GitpinError(
    "route_unknown",
    "There is nothing at this address.",
    "List the tools there are, and call one of them.",
  );

const unparsed = (): GitpinError =>
  new GitpinError(
    "entities_unavailable",
    "This deployment has no part that parses source, so nothing was changed.",
    "The operator deploys the Worker that parses, and binds it as ENTITIES.",
  );

const unwritten = (): GitpinError =>
  new GitpinError(
    "write_not_allowed",
    "This deployment writes to no repository.",
    "Commit with git in a clone, or ask the operator.",
    { rule: "deployment" },
  );
