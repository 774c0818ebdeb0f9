/**
 * Lists of commits: the log of a commit, and what lies between two. Asked for by full SHA and kept for ever, sealed:
 * a list rests on GitHub's word. GitHub puts a comparison's files on its first page only, and they can be large, so short
 * spans are taken out of the log, and long ones from the later pages; the first page is the last resort.
 */
import * as z from "zod";
import { betweenKey, type Key, logKey } from "../cache/keys.ts";
import { seal, unseal } from "../cache/sealed.ts";
import { type Form, readThrough } from "../cache/tiered.ts";
import { commitsBetween } from "../core/change/commits-between.ts";
import type { HostCommit } from "../core/git/commit-rebuild.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { LOG_AT_MOST, type LoggedCommit } from "../ports/repository-history.ts";
import { commitListAnswer, comparedCommits } from "./answers.ts";
import { rememberCommit } from "./commits.ts";
import { unexpected } from "./failure.ts";
import { readRelation } from "./relation.ts";
import { getJson, type Repository } from "./repository.ts";

/** Commits on one page of a comparison; GitHub's most. */
const PAGE = 100;

const person = z.object({ name: z.string(), email: z.string(), date: z.string() });
const storedList = z.array(
  z.object({
    sha: z.string(),
    parents: z.array(z.string()),
    author: person,
    committer: person,
    message: z.string(),
  }),
);

const listForm: Form<LoggedCommit[]> = {
  decode(key, bytes) {
    const text = unseal(key, bytes);
    return text === null ? null : (storedList.safeParse(JSON.parse(text)).data ?? null);
  },
  encode: (key, commits) => seal(key, JSON.stringify(commits)),
  weigh: (commits) => commits.reduce((sum, commit) => sum + 600 + commit.message.length * 2, 0),
};

function listed(repository: Repository, hosts: readonly HostCommit[]): LoggedCommit[] {
  return hosts.map((host) => {
    const { sha, parents, author, committer, message } = rememberCommit(repository, host);
    return { sha, parents, author, committer, message };
  });
}

/** The newest `count` commits that `sha` leads to, itself first. */
export async function readLog(repository: Repository, sha: ObjectId, count: number): Promise<LoggedCommit[]> {
  const what = "a list of commits";
  const key: Key<LoggedCommit[]> = logKey(repository.keys, sha, count);
  const commits = await readThrough(repository.tiers, key, listForm, async () => {
    const path = `/commits?sha=${sha}&per_page=${count}`;
    const answer = await getJson(repository, { path, what }, commitListAnswer);
    if (answer.status === 404) await repository.confirm();
    if (answer.status !== 200) throw unexpected(what, `HTTP ${answer.status} for a commit that is there`);
    if (answer.data[0]?.sha !== sha) throw unexpected(what, "it does not begin with the commit asked for");
    return listed(repository, answer.data);
  });
  return commits ?? [];
}

/** One page of a comparison, oldest first. */
async function readPage(
  repository: Repository,
  base: ObjectId,
  head: ObjectId,
  page: number,
  total: number,
): Promise<LoggedCommit[]> {
  const what = "the commits between two commits";
  const key: Key<LoggedCommit[]> = betweenKey(repository.keys, base, head, page);
  const commits = await readThrough(repository.tiers, key, listForm, async () => {
    const path = `/compare/${base}...${head}?per_page=${PAGE}&page=${page}`;
    const answer = await getJson(repository, { path, what }, comparedCommits);
    if (answer.status === 404) await repository.confirm();
    if (answer.status !== 200) throw unexpected(what, `HTTP ${answer.status}`);
    const expected = Math.min(PAGE, total - (page - 1) * PAGE);
    if (answer.data.total !== total || answer.data.commits.length !== expected)
      throw unexpected(what, "it holds another number of commits than it says");
    return listed(repository, answer.data.commits);
  });
  return commits ?? [];
}

/** Commits on head and not on base, newest first, `count` of them from `offset`. */
export async function readCommitsBetween(
  repository: Repository,
  base: ObjectId,
  head: ObjectId,
  offset: number,
  count: number,
): Promise<LoggedCommit[]> {
  const relation = await readRelation(repository, base, head);
  const total = relation?.ahead ?? 0;
  const end = Math.min(offset + count, total);
  if (relation === null || end <= offset) return [];
  if (total < LOG_AT_MOST) {
    const span = { base, mergeBase: relation.mergeBase, count: total };
    const whole = commitsBetween(await readLog(repository, head, LOG_AT_MOST), span);
    if (whole !== null) return whole.slice(offset, end);
  }
  // Pages hold the oldest first: the newest one stands at total - 1.
  const [oldest, newest] = [total - end, total - 1 - offset];
  const [firstPage, lastPage] = [Math.floor(oldest / PAGE) + 1, Math.floor(newest / PAGE) + 1];
  const pages: LoggedCommit[] = [];
  for (let page = firstPage; page <= lastPage; page++) {
    pages.push(...(await readPage(repository, base, head, page, total)));
  }
  const start = (firstPage - 1) * PAGE;
  return pages.slice(oldest - start, newest - start + 1).reverse();
}
