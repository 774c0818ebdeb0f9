/**
 * `pin.compare`: the two trees compared here, since GitHub's own list of files starts at the merge base and stops at 300
 * without a word; commits between, merge base and counts as GitHub's git has them. Pages are pinned to both commits.
 */
import * as z from "zod";
import { decodeCursor, encodeCursor, foreignCursor } from "../core/cursor.ts";
import { envelopeOf } from "../core/evidence/envelope.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { LOG_AT_MOST, type Relation } from "../ports/repository-history.ts";
import type { Commit } from "../ports/repository-reader.ts";
import type { NextCall } from "../schema/common.ts";
import type { ComparedPath, CompareInput, Comparison } from "../schema/comparison.ts";
import { nameCommit, type OpenedCommit, openCommit } from "./commit-gate.ts";
import { commitRowOf } from "./commit-row.ts";
import { nextTool } from "./next.ts";
import type { ServicePorts } from "./service-ports.ts";
import { compareTrees, isOpen, type JudgedChange, type OpenCommit } from "./tree-comparison.ts";

const CHANGES = 200;
const COMMITS = 50;
const fullSha = z.string().regex(/^[0-9a-f]{40}$/);
const offset = z.number().int().min(0);
const position = z.tuple([fullSha, fullSha, z.union([z.literal(0), z.literal(1)]), offset, offset]);

interface Page {
  base: string;
  head: string;
  renames: boolean;
  changes: number;
  commits: number;
}

export async function compare(ports: ServicePorts, input: CompareInput, call: Call): Promise<Comparison> {
  const page = pageOf(input);
  const { repository } = input;
  // One after the other: the first brings HEAD's commit along, which the second often is. Both before either is shown.
  const base = await openAt(ports, call, repository, page.base);
  const head = await openAt(ports, call, repository, page.head);
  if (!isOpen(base) || !isOpen(head)) return withheld(base, head, page);

  const { changes, oddNames, assurance } = await compareTrees(base, head, page.renames);
  const relation = await head.reader.relation(base.commitSha, head.commitSha);
  if (input.cursor !== undefined && !isWithin(page, changes.length, relation)) throw foreignCursor();
  const commits = await commitsOf(head, base, relation, page.commits);
  const shown = changes.slice(page.changes, page.changes + (input.limit ?? CHANGES));
  const further = {
    changes: page.changes + shown.length,
    commits: page.commits + commits.items.length,
  };
  const moreCommits = relation !== null && further.commits < relation.ahead;
  const more = further.changes < changes.length || moreCommits;
  const pinned = [base.commitSha, head.commitSha, page.renames ? 1 : 0] as const;
  const nextCursor = more ? encodeCursor("compare", [...pinned, further.changes, further.commits]) : null;
  const totals = { A: 0, M: 0, D: 0, T: 0, R: 0 };
  for (const { status } of changes) totals[status] += 1;
  return {
    ...frame(base, head, page),
    status: "ok",
    reason: null,
    mergeBase: relation?.mergeBase ?? null,
    unrelated: relation === null,
    ahead: relation?.ahead ?? null,
    behind: relation?.behind ?? null,
    commits,
    changes: shown.map(rowOf),
    totalChanges: changes.length,
    totals,
    truncated: more,
    proof: {
      base: { commit: base.outcome.commit.assurance, tree: assurance.base },
      head: { commit: head.outcome.commit.assurance, tree: assurance.head },
    },
    notes: [
      ...(relation === null
        ? [
            "The two commits share no history: the commits listed are the newest of head, all of it is not in base.",
          ]
        : []),
      ...(oddNames
        ? ["Some names are not UTF-8: GitHub shows them with U+FFFD, and two such names may look like one."]
        : []),
    ],
    nextCursor,
    next: nextOf(input, call, nextCursor, shown, head.outcome.commit),
  };
}

const openAt = async (ports: ServicePorts, call: Call, repository: string, sha: string) =>
  await openCommit(await nameCommit(ports, call, { repository, sha }));

function pageOf(input: CompareInput): Page {
  const [base, head] = [input.base.toLowerCase(), input.head.toLowerCase()];
  const renames = input.renames ?? true;
  if (input.cursor === undefined) return { base, head, renames, changes: 0, commits: 0 };
  const [atBase, atHead, withRenames, changes, commits] = decodeCursor("compare", position, input.cursor);
  const same =
    atBase.startsWith(base) &&
    atHead.startsWith(head) &&
    (input.renames === undefined || renames === (withRenames === 1));
  if (same) return { base: atBase, head: atHead, renames: withRenames === 1, changes, commits };
  throw new GitpinError(
    "invalid_argument",
    "cursor belongs to another comparison.",
    "Pass it with the same base, head and renames as the call that gave it out.",
    { field: "cursor" },
  );
}

/** Whether anything is left behind a position, and neither list is passed. Of unrelated histories one page of commits is all there is. */
function isWithin({ changes, commits }: Page, totalChanges: number, relation: Relation | null): boolean {
  const totalCommits = relation?.ahead ?? COMMITS;
  const more = changes < totalChanges || (relation !== null && commits < totalCommits);
  return more && changes <= totalChanges && commits <= totalCommits;
}

/** Of unrelated histories everything of head is "between"; how much that is, is known only where one list holds it. */
async function commitsOf(
  head: OpenCommit,
  base: OpenCommit,
  relation: Relation | null,
  from: number,
): Promise<NonNullable<Comparison["commits"]>> {
  if (relation === null) {
    const log = await head.reader.log(head.commitSha, LOG_AT_MOST);
    const whole = log.length < LOG_AT_MOST;
    const items = from === 0 ? log.slice(0, COMMITS).map(commitRowOf) : [];
    return { items, total: whole ? log.length : null, truncated: !whole || log.length > items.length };
  }
  const { reader } = head;
  const found = await reader.commitsBetween(base.commitSha, head.commitSha, from, COMMITS);
  return {
    items: found.map(commitRowOf),
    total: relation.ahead,
    truncated: from + found.length < relation.ahead,
  };
}

function rowOf(change: JudgedChange): ComparedPath {
  const side = (of: JudgedChange["base"]) =>
    of === null || change.blocked ? null : { entryType: of.kind, mode: of.mode, id: of.id };
  return {
    status: change.status,
    sourcePath: change.path,
    previousPath: change.status === "R" ? change.from : null,
    base: side(change.base),
    head: side(change.head),
    blocked: change.blocked,
  };
}

const frame = (base: OpenedCommit, head: OpenedCommit, page: Page) => ({
  ...envelopeOf("comparison"),
  repository: head.entry.name,
  base: base.commitSha,
  head: head.commitSha,
  reachable: { base: base.reachable, head: head.reachable },
  verify: `git diff --name-status ${page.renames ? "-M100%" : "--no-renames"} ${base.commitSha} ${head.commitSha}`,
});

/** One of the two is not there or not to be shown: then nothing is said of how they differ. */
function withheld(base: OpenedCommit, head: OpenedCommit, page: Page): Comparison {
  const outcomes = [base.outcome, head.outcome];
  const faults = outcomes.flatMap((outcome) => (outcome.status === "ok" ? [] : [outcome]));
  return {
    ...frame(base, head, page),
    status: faults.some(({ status }) => status === "blocked") ? "blocked" : "missing",
    reason: [...new Set(faults.map(({ reason }) => reason))].join(" "),
    mergeBase: null,
    unrelated: null,
    ahead: null,
    behind: null,
    commits: null,
    changes: [],
    totalChanges: null,
    totals: null,
    truncated: false,
    proof: null,
    notes: [],
    nextCursor: null,
    next: null,
  };
}

function nextOf(
  input: CompareInput,
  call: Call,
  cursor: string | null,
  shown: readonly JudgedChange[],
  head: Commit,
): NextCall {
  const { repository, base, limit } = input;
  if (cursor !== null) {
    return nextTool("pin.compare", call.spelling, { repository, base, head: input.head, limit, cursor });
  }
  const first = shown.find(
    (change) => !change.blocked && (change.head?.kind === "file" || change.head?.kind === "executable"),
  );
  return first === undefined
    ? null
    : nextTool("pin.prove", call.spelling, { repository, sourcePath: first.path, sha: head.sha });
}
