/**
 * Opening a pull request between two branches of the repository. There is at most one open between two branches, so one that is there is
 * given back, whoever opened it; an outcome that was not told is looked up before anything is repeated.
 */
import * as z from "zod";
import type { PullRequest, PullRequestInput } from "../../ports/repository-writer.ts";
import { unexpected } from "../failure.ts";
import { getJson } from "../repository.ts";
import { assertBranchName } from "./branches.ts";
import { knownReason, reasonOf, textOf } from "./refusal.ts";
import { sent, type WritableRepository } from "./writable-repository.ts";
import type { WriteRefused } from "./write-client.ts";
import { type PullRequestRefusal, pullRequestRefused, WRITE_PULL_REQUESTS } from "./write-failure.ts";

const pullAnswer = z
  .object({ number: z.number().int().positive(), html_url: z.url({ protocol: /^https?$/ }) })
  .transform(({ number, html_url: url }): PullRequest => ({ number, url }));

const WHAT = "a pull request";

function refusalOf(refused: WriteRefused): PullRequestRefusal {
  const text = textOf(refused);
  if (/no commits between|no history in common/i.test(text)) return "no_commits";
  if (/draft/i.test(text)) return "draft_unsupported";
  if (/limited the ability to open a pull request/i.test(text)) return "collaborators_only";
  return refused.codes.includes("invalid") ? "no_such_branch" : "refused";
}

/** The open one between these branches; null when there is none. */
async function openOne(
  repository: WritableRepository,
  { head, base }: PullRequestInput,
): Promise<PullRequest | null> {
  const [owner = ""] = (await repository.identity()).fullName.split("/");
  const query = new URLSearchParams({ state: "open", head: `${owner}:${head}`, base });
  const answer = await getJson(
    repository,
    { path: `/pulls?${query}`, what: WHAT, access: "propose" },
    z.array(pullAnswer),
  );
  if (answer.status !== 200) throw unexpected(WHAT, `HTTP ${answer.status}`);
  return answer.data[0] ?? null;
}

/** Throws `pull_request_refused`, `write_forbidden`; another error leaves it open, and the same call finds out. */
export async function openPullRequest(
  repository: WritableRepository,
  input: PullRequestInput,
): Promise<PullRequest> {
  const { title, body, draft = false, head, base } = input;
  assertBranchName(head);
  assertBranchName(base);
  for (let tries = 0; ; tries++) {
    const answer = await sent(
      repository.send({
        method: "POST",
        path: "/pulls",
        body: { title, head, base, draft, ...(body === undefined ? {} : { body }) },
        what: WHAT,
        access: "propose",
      }),
      pullAnswer,
      WHAT,
    );
    if (answer.status === "done") return answer.data;
    const exists = answer.status === "refused" && /pull request already exists/i.test(textOf(answer));
    if (answer.status === "refused" && !exists) {
      const step = { what: WHAT, branch: null, permission: WRITE_PULL_REQUESTS };
      if (answer.http !== 422) throw await reasonOf(repository, answer, step);
      throw knownReason(repository, answer, step) ?? pullRequestRefused(refusalOf(answer), head, base);
    }
    const found = await openOne(repository, input);
    if (found !== null) return found;
    if (tries > 0)
      throw answer.status === "unknown" ? answer.failure : pullRequestRefused("refused", head, base);
  }
}
