/**
 * One attempt to plan the whole call at one commit: the plan with the tree it makes, or why there is none. Writes nothing.
 * Owns the second half of permission: every path that the plan would write is checked, by registry and by policy.
 */
import type { Outcome } from "../../core/entity/edit/outcome.ts";
import { assertMayWrite } from "../../core/policy/writable.ts";
import { GitpinError } from "../../errors.ts";
import type { MutationResult } from "../../schema/mutation-result.ts";
import { assertShown, CommitView } from "./commit-view.ts";
import { newTree } from "./new-tree.ts";
import type { PlannedHead } from "./planned-head.ts";
import type { Planned } from "./receipt.ts";
import { remainingReferences } from "./references.ts";
import { conflictResult, refusedResult } from "./refusal.ts";
import type { MutationWork } from "./work.ts";

export type Attempt = { status: "planned"; planned: Planned } | { status: "stopped"; result: MutationResult };

/** Throws `write_not_allowed`, `entities_unavailable`, and what reading throws. */
export async function planAt(work: MutationWork, head: PlannedHead): Promise<Attempt> {
  const { entry, target, call, input, reader, ports } = work;
  const { commit, policy } = head;
  const place = { repository: entry.name, branch: target.branch };
  const outcome = await outcomeAt(work, head);
  if (outcome.status === "conflict") {
    return { status: "stopped", result: conflictResult(place, outcome.conflict) };
  }
  if (outcome.status === "refused") {
    return { status: "stopped", result: refusedResult(place, outcome.refusal) };
  }
  const { plan } = outcome;
  const paths = plan.files.map(({ path }) => path);
  assertMayWrite(entry, { team: call.caller.team, branch: target.branch, paths });
  for (const path of paths) assertShown(head, path);
  const tree = await newTree(reader, commit, plan.files);
  if (typeof tree !== "string") return { status: "stopped", result: refusedResult(place, tree) };
  const references =
    commit === null
      ? undefined
      : await remainingReferences(
          { reader, commit, policy, pause: ports.pause ?? noPause, fetch: input.dry_run === true },
          plan,
        );
  const planned: Planned = {
    ...place,
    parent: commit?.sha ?? null,
    parentTree: commit?.tree ?? null,
    tree,
    plan,
    operations: input.operations.length,
    references,
  };
  return { status: "planned", planned };
}

const noPause = (): Promise<void> => Promise.resolve();

async function outcomeAt(
  { parser, reader, entry, repositoryId, asked, target, input }: MutationWork,
  head: PlannedHead,
): Promise<Outcome> {
  const { commit, branch } = head;
  const view = new CommitView(reader, head, asked.paths);
  const request = {
    repositoryId,
    repository: entry.name,
    branch,
    ...(branch === target.baseBranch ? {} : { baseBranch: target.baseBranch }),
    head: commit?.sha ?? null,
    tree: commit?.tree ?? null,
    operations: input.operations,
  };
  try {
    return await parser.plan(request, view);
  } catch (error) {
    if (!(error instanceof GitpinError) || error.code !== "source_refused") throw error;
    // A file that was not even read, for its size.
    const { message: reason, nextStep: next_step } = error;
    return {
      status: "refused",
      refusal: { code: "source_refused", applied: false, operation: null, reason, next_step },
    };
  }
}
