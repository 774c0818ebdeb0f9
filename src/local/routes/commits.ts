// Commits: the list, and one by ref in its forms (JSON with files, bare SHA, diff, patch).
import { diffText, EMPTY_TREE, mailText } from "../git/diff.ts";
import { type HistoryFilter, listCommits } from "../git/history.ts";
import type { Commit } from "../git/objects.ts";
import { diffOf } from "../git/recent-diffs.ts";
import { resolveCommit } from "../git/resolve.ts";
import { type Answer, ApiError, bytes, json } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { linkHeader, pageOf } from "../http/pages.ts";
import { lastModified } from "../shapes/cache.ts";
import { commitShape } from "../shapes/commit.ts";
import { fileChangeShape } from "../shapes/file-change.ts";
import { linksOf } from "../shapes/links.ts";
import { emptyOr, missing } from "./missing.ts";

const LIST_DOCS = "https://docs.github.com/rest/commits/commits#list-commits";
const DOCS = "https://docs.github.com/rest/commits/commits#get-a-commit";

/** The commit a ref names, or 422 in GitHub's words (409 when the repository is empty). */
async function find(exchange: RepositoryExchange, ref: string): Promise<{ sha: string; commit: Commit }> {
  const { git, defaultBranch } = exchange.repository;
  const found = await resolveCommit(git, ref, defaultBranch);
  const commit = found && (await git.commit(found.commit));
  if (!commit) throw await emptyOr(exchange, new ApiError(422, `No commit found for SHA: ${ref}`));
  return { sha: found.commit, commit };
}

/** What a commit is compared with: its first parent, or nothing (a root, or the border of a shallow clone). */
async function diffBase({ repository: { git } }: RepositoryExchange, commit: Commit): Promise<string> {
  const [parent] = commit.parents;
  return parent !== undefined && (await git.info(parent)) ? parent : EMPTY_TREE;
}

async function one(exchange: RepositoryExchange): Promise<Answer> {
  const { host, media, params, repository } = exchange;
  const { sha, commit } = await find(exchange, params.ref ?? "");
  const type = `${media.type}; charset=utf-8`;
  const modified = lastModified(commit.committer.seconds);
  if (media.param === "sha") return bytes(type, Buffer.from(sha), { etag: `"${sha}"`, ...modified });
  const base = await diffBase(exchange, commit);
  if (media.param === "diff") return bytes(type, await diffText(repository.git, base, sha));
  if (media.param === "patch") return bytes(type, await mailText(repository.git, null, sha));

  const links = linksOf(exchange);
  const asked = exchange.query.has("per_page");
  const page = pageOf(exchange.query, {
    usual: host.limits.files,
    most: asked ? Math.min(100, host.limits.files) : host.limits.files,
  });
  const { commitFiles } = host.limits;
  const { changes, texts } = await diffOf(repository.git, base, sha, Math.min(page.end, commitFiles));
  const shown = changes.slice(0, commitFiles);
  const files = shown
    .map((change, index) => fileChangeShape(links, sha, change, texts[index] ?? null))
    .slice(page.start, page.end);
  const additions = changes.reduce((sum, change) => sum + change.additions, 0);
  const deletions = changes.reduce((sum, change) => sum + change.deletions, 0);
  const stats = { total: additions + deletions, additions, deletions };
  return json(
    { ...commitShape(links, sha, commit), stats, files },
    { ...modified, ...linkHeader(exchange, page, shown.length) },
  );
}

function seconds(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new ApiError(422, "Validation Failed", {
      members: { errors: [{ resource: "Commit", field: name, code: "invalid" }] },
    });
  }
  return Math.floor(time / 1000);
}

/** Undefined for a path that no tree can hold. */
function literalPath(path: string): string | undefined {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  const odd = trimmed.split("/").some((part) => part === "." || part === ".." || part.includes("\0"));
  return odd ? undefined : trimmed;
}

async function list(exchange: RepositoryExchange): Promise<Answer> {
  const { query, repository } = exchange;
  const { git, defaultBranch } = repository;
  const found = await resolveCommit(git, query.get("sha") || "HEAD", defaultBranch);
  if (!found) throw await missing(exchange);
  const path = literalPath(query.get("path") ?? "");
  const filter: HistoryFilter = {};
  if (path !== undefined) filter.path = path;
  const since = seconds(query, "since");
  const until = seconds(query, "until");
  if (since !== undefined) filter.since = since;
  if (until !== undefined) filter.until = until;
  const [author, committer] = [query.get("author"), query.get("committer")];
  if (author) filter.author = author;
  if (committer) filter.committer = committer;

  const shas = path === undefined ? [] : await listCommits(git, found.commit, filter);
  const page = pageOf(query, { usual: 30, most: 100 });
  const links = linksOf(exchange);
  const commits = await Promise.all(
    shas.slice(page.start, page.end).map(async (sha) => {
      const commit = await git.commit(sha);
      return commit ? [commitShape(links, sha, commit)] : [];
    }),
  );
  return json(commits.flat(), linkHeader(exchange, page, shas.length));
}

export const commits: RepositoryRoute[] = [
  { method: "GET", pattern: "/commits", docs: LIST_DOCS, run: list },
  { method: "GET", pattern: "/commits/{ref+}", docs: DOCS, run: one },
];
