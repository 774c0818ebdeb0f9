/**
 * What differs between the trees of two opened commits, with policy applied: a blocked path is named and marked, without
 * what stands there, and it takes no part in the pairing of renames, which would tell that its content equals another's.
 */
import { compareByteOrder } from "../core/change/byte-order.ts";
import { type Change, pairExactRenames } from "../core/change/renames.ts";
import { diffTrees } from "../core/change/tree-diff.ts";
import type { Assurance } from "../ports/repository-reader.ts";
import type { CommitOutcome, NamedCommit } from "./commit-gate.ts";
import { wholeTree } from "./whole-tree.ts";

/** A commit that may be shown. */
export interface OpenCommit extends NamedCommit {
  outcome: Extract<CommitOutcome, { status: "ok" }>;
}

export const isOpen = (opened: NamedCommit & { outcome: CommitOutcome }): opened is OpenCommit =>
  opened.outcome.status === "ok";

export type JudgedChange = Change & { blocked: boolean };

export interface TreeComparison {
  /** In git's order, as `git diff --name-status -M100%` or `--no-renames` has them. */
  changes: JudgedChange[];
  /** Some name is not UTF-8: the host shows it with U+FFFD, so two of them may look like one. */
  oddNames: boolean;
  assurance: { base: Assurance; head: Assurance };
}

/** `base` null: everything in head was added (a commit without parents). Both of one repository. */
export async function compareTrees(
  base: OpenCommit | null,
  head: OpenCommit,
  renames: boolean,
): Promise<TreeComparison> {
  const none = { entries: [], assurance: "hashed" as const };
  const [before, after] = await Promise.all([
    base === null ? none : wholeTree(base.reader, base.outcome.commit),
    wholeTree(head.reader, head.outcome.commit),
  ]);
  const policies = [head.outcome.policy, ...(base === null ? [] : [base.outcome.policy])];
  const judged = diffTrees(before.entries, after.entries).map((change) => ({
    change,
    blocked: policies.some((policy) => !policy.decide(change.path).allowed),
  }));
  const shown = judged.flatMap(({ change, blocked }) => (blocked ? [] : [change]));
  const changes = [
    ...(renames ? pairExactRenames(shown) : shown).map((change) => ({ ...change, blocked: false })),
    ...judged.filter(({ blocked }) => blocked).map(({ change }) => ({ ...change, blocked: true })),
  ].sort((one, other) => compareByteOrder(one.path, other.path));
  return {
    changes,
    oddNames: [...before.entries, ...after.entries].some(({ path }) => path.includes("\ufffd")),
    assurance: { base: before.assurance, head: after.assurance },
  };
}
