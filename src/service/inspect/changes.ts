/**
 * `changes`: the paths that the newest commits touched, each told once, of the newest commit that touched it: what
 * `git log --name-status -M100%` shows, which leaves merges out. Trees are compared, one more for each commit examined.
 */
import { asGitpinError } from "../../errors.ts";
import { LOG_AT_MOST, type LoggedCommit } from "../../ports/repository-history.ts";
import type { Inspection } from "../../schema/inspection.ts";
import { openCommit } from "../commit-gate.ts";
import { commitRowOf } from "../commit-row.ts";
import { compareTrees, isOpen, type OpenCommit } from "../tree-comparison.ts";
import type { Part, View } from "./view.ts";

/** Each costs a tree; GitHub counts requests. */
const EXAMINED_AT_MOST = 10;

type Row = NonNullable<Inspection["changes"]>["items"][number];

export async function changesOf({ at, limit }: View): Promise<Part<"changes">> {
  const log = await at.reader.log(at.commitSha, LOG_AT_MOST);
  const examined: LoggedCommit[] = [];
  const rows = new Map<string, Row>();
  let incomplete: string | null = null;
  for (const commit of log.filter(({ parents }) => parents.length < 2)) {
    if (examined.length === EXAMINED_AT_MOST || rows.size > limit) break;
    try {
      for (const row of await rowsOf(at, commit)) {
        if (!rows.has(row.sourcePath)) rows.set(row.sourcePath, row);
      }
      examined.push(commit);
    } catch (thrown) {
      const error = asGitpinError(thrown);
      if (error.code !== "tree_incomplete") throw error;
      incomplete = `The paths of ${commit.sha} are not shown: ${error.message} ${error.nextStep}`;
      break;
    }
  }
  const items = [...rows.values()].slice(0, limit);
  return {
    items,
    // Past the limit the rest was not looked at.
    total: rows.size > limit ? null : rows.size,
    truncated: rows.size > limit,
    commitsExamined: examined.length,
    oldestExamined: examined.at(-1)?.sha ?? null,
    incomplete,
  };
}

async function rowsOf(at: OpenCommit, { sha, parents: [parent] }: LoggedCommit): Promise<Row[]> {
  const head = await openAncestor(at, sha);
  const base = parent === undefined ? null : await openAncestor(at, parent);
  const row = commitRowOf(head.outcome.commit);
  const { changes } = await compareTrees(base, head, true);
  return changes.map((change) => ({
    sourcePath: change.path,
    status: change.status,
    previousPath: change.status === "R" ? change.from : null,
    entryType: change.head?.kind ?? null,
    blocked: change.blocked || !at.outcome.policy.decide(change.path).allowed,
    sha,
    author: row.author.name,
    date: row.author.date,
    subject: row.subject,
  }));
}

/** An ancestor of HEAD is as reachable as HEAD; its own policy files count beside HEAD's. */
async function openAncestor(at: OpenCommit, sha: string): Promise<OpenCommit> {
  if (sha === at.commitSha) return at;
  const opened = await openCommit({ ...at, commitSha: sha, pinned: true, head: null });
  if (isOpen(opened)) return opened;
  throw new TypeError("an ancestor of HEAD could not be opened");
}
