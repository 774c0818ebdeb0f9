/**
 * What follows a commit that stands: the pull request, and the audit trail. Neither can undo it, so a failure of either is told in
 * the receipt and nothing is hidden. The operator's log hears of a commit that the trail could not take.
 */
import { asGitpinError } from "../../errors.ts";
import type { CommitEvent } from "../../ports/commit-audit.ts";
import type { MutationResult, PullRequestResult } from "../../schema/mutation-result.ts";
import { descriptionBullets } from "./message.ts";
import type { MutationWork } from "./work.ts";

/** Never throws. `receipt`: of a commit that landed. */
export async function afterLanding(work: MutationWork, receipt: MutationResult): Promise<MutationResult> {
  const pull = receipt.pull_request ?? (await pullRequest(work));
  const audit = await recorded(work, receipt, pull?.number ?? null);
  return { ...receipt, audit, ...(pull === undefined ? {} : { pull_request: pull }) };
}

/** The receipt of an earlier call whose pull request failed, with the one that is open now; null: there is nothing better to tell. */
export async function pullRequestAgain(
  work: MutationWork,
  receipt: MutationResult,
): Promise<MutationResult | null> {
  if (receipt.pull_request?.status !== "failed") return null;
  const pull = await pullRequest(work);
  if (pull?.status !== "open") return null;
  // The trail told of the commit when it landed, without a pull request; that row is never changed.
  const audit = await recorded(work, receipt, pull.number);
  return { ...receipt, audit, pull_request: pull };
}

/** Never throws. Undefined: none was asked for. */
async function pullRequest({ input, writer, target }: MutationWork): Promise<PullRequestResult | undefined> {
  const wanted = input.pull_request;
  if (wanted === undefined) return undefined;
  const none = { number: null, url: null, code: null, reason: null, next_step: null };
  try {
    const { number, url } = await writer.openPullRequest({
      title: wanted.title,
      body: wanted.body ?? descriptionBullets(input.operations),
      draft: wanted.draft,
      head: target.branch,
      base: target.baseBranch,
    });
    return { ...none, status: "open", number, url };
  } catch (thrown) {
    const { code, message, nextStep } = asGitpinError(thrown);
    const again =
      input.request_id === undefined
        ? "do not send it again"
        : "the same call with the same request_id tries the pull request again, and only that";
    const next = `The commit stands on ${target.branch}; ${again}. ${nextStep}`;
    return { ...none, status: "failed", code, reason: message, next_step: next };
  }
}

async function recorded(
  { call, entry, target, input, writing }: MutationWork,
  { commitSha, parent = null, modified_files: paths = [] }: MutationResult,
  pullNumber: number | null,
): Promise<"recorded" | "not_recorded"> {
  if (commitSha === undefined) throw new TypeError("only a receipt is recorded");
  const event: CommitEvent = {
    caller: call.caller,
    entry,
    branch: target.branch,
    parent,
    commit: commitSha,
    paths,
    operations: input.operations.length,
    requestId: input.request_id ?? null,
    pullRequest: pullNumber,
  };
  try {
    await writing.audit.committed(event);
    return "recorded";
  } catch (thrown) {
    writing.unrecorded(event, asGitpinError(thrown));
    return "not_recorded";
  }
}
