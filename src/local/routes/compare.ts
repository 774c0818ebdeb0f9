// Comparing two commits (`base...head`): counts, commits and files, with GitHub's cuts.
import { changedFiles, diffText, mailText, patches } from "../git/diff.ts";
import { commitsBetween, countBetween, mergeBase } from "../git/history.ts";
import { resolveCommit } from "../git/resolve.ts";
import { type Answer, ApiError, bytes, json, notFound } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { linkHeader, pageOf } from "../http/pages.ts";
import { lastModified } from "../shapes/cache.ts";
import { commitShape } from "../shapes/commit.ts";
import { fileChangeShape } from "../shapes/file-change.ts";
import { encodePath, linksOf } from "../shapes/links.ts";

interface Comparison {
  base: string;
  head: string;
  fork: string;
}

/** `owner:ref` is understood for the owner of this repository; other forks are not served. */
async function resolveSide(exchange: RepositoryExchange, side: string): Promise<string> {
  const { git, defaultBranch, owner, name } = exchange.repository;
  const parts = side.split(":");
  const ref = parts.pop() ?? "";
  const [ownerAsked = owner, nameAsked = name, ...more] = parts;
  const own =
    ownerAsked.toLowerCase() === owner.toLowerCase() && nameAsked.toLowerCase() === name.toLowerCase();
  const found = own && more.length === 0 ? await resolveCommit(git, ref, defaultBranch) : null;
  if (!found) throw notFound();
  return found.commit;
}

async function resolve(exchange: RepositoryExchange, base: string, head: string): Promise<Comparison> {
  const from = await resolveSide(exchange, base);
  const to = await resolveSide(exchange, head);
  const fork = await mergeBase(exchange.repository.git, from, to);
  if (fork === null) throw new ApiError(404, `No common ancestor between ${base} and ${head}.`);
  return { base: from, head: to, fork };
}

function statusOf(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}

async function compare(exchange: RepositoryExchange): Promise<Answer> {
  const { host, media, params, query, repository } = exchange;
  const [baseName = "", headName = "", ...rest] = (params.basehead ?? "").split("...");
  if (baseName === "" || headName === "" || rest.length > 0) throw notFound();
  const { base, head, fork } = await resolve(exchange, baseName, headName);
  const { git } = repository;
  const type = `${media.type}; charset=utf-8`;
  if (media.param === "diff") return bytes(type, await diffText(git, fork, head));
  if (media.param === "patch") return bytes(type, await mailText(git, fork, head));

  const links = linksOf(exchange);
  const shape = async (sha: string): Promise<Record<string, unknown>> => {
    const commit = await git.commit(sha);
    if (!commit) throw notFound();
    return commitShape(links, sha, commit);
  };
  const ahead = await commitsBetween(git, base, head);
  const behind = await countBetween(git, head, base);
  const paged = query.has("page") || query.has("per_page");
  const page = pageOf(query, { usual: 30, most: 100 });
  // Without paging the newest commits are kept, with it the pages start at the oldest.
  const shown = paged ? ahead.slice(page.start, page.end) : ahead.slice(-host.limits.compareCommits);
  const changes = page.number === 1 ? await changedFiles(git, fork, head) : [];
  const files = changes.slice(0, host.limits.files);
  const texts = await patches(git, fork, head, files);
  const name = `${encodePath(baseName)}...${encodePath(headName)}`;
  const headCommit = await git.commit(head);
  const body = {
    url: links.api(`/compare/${name}`),
    html_url: links.web(`/compare/${name}`),
    permalink_url: links.web(
      `/compare/${repository.owner}:${base.slice(0, 7)}...${repository.owner}:${head.slice(0, 7)}`,
    ),
    diff_url: links.web(`/compare/${name}.diff`),
    patch_url: links.web(`/compare/${name}.patch`),
    base_commit: await shape(base),
    merge_base_commit: await shape(fork),
    status: statusOf(ahead.length, behind),
    ahead_by: ahead.length,
    behind_by: behind,
    total_commits: ahead.length,
    commits: await Promise.all(shown.map(shape)),
    files: files.map((change, index) => fileChangeShape(links, head, change, texts[index] ?? null)),
  };
  return json(body, {
    ...lastModified(headCommit?.committer.seconds ?? 0),
    ...(paged ? linkHeader(exchange, page, ahead.length) : {}),
  });
}

export const comparisons: RepositoryRoute[] = [
  {
    method: "GET",
    pattern: "/compare/{basehead+}",
    docs: "https://docs.github.com/rest/commits/commits#compare-two-commits",
    run: compare,
  },
];
