// GitHub's "pull request", short as in lists and in full. Reviews, labels and merging have no place in a clone: none, off.
import type { RepositoryExchange } from "../http/exchange.ts";
import type { PullRequest } from "../pull-requests.ts";
import { isoDate } from "./commit.ts";
import { type Links, linksOf, nodeId } from "./links.ts";
import { userId, userShape } from "./user.ts";

export interface PullFacts {
  headSha: string;
  baseSha: string;
  /** The repository's own shape. */
  repository: Record<string, unknown>;
}

export interface PullSize {
  commits: number;
  additions: number;
  deletions: number;
  changedFiles: number;
}

function side(links: Links, owner: string, branch: string, sha: string, repo: Record<string, unknown>) {
  return { label: `${owner}:${branch}`, ref: branch, sha, user: userShape(links.base, owner), repo };
}

export function pullShape(
  exchange: RepositoryExchange,
  pull: PullRequest,
  facts: PullFacts,
): Record<string, unknown> {
  const links = linksOf(exchange);
  const { owner, id } = exchange.repository;
  const { number, head, base } = pull;
  const self = links.api(`/pulls/${number}`);
  const issue = links.api(`/issues/${number}`);
  const html = links.web(`/pull/${number}`);
  const comments = `${issue}/comments`;
  const commits = `${self}/commits`;
  const reviewComments = `${self}/comments`;
  const reviewComment = links.api("/pulls/comments{/number}");
  const statuses = links.api(`/statuses/${facts.headSha}`);
  const opened = isoDate(pull.openedAt);
  return {
    url: self,
    id: userId(`${id}/${number}`) || 1,
    node_id: nodeId("PullRequest", id, number),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    number,
    state: "open",
    locked: false,
    title: pull.title,
    user: userShape(links.base, pull.login),
    body: pull.body,
    created_at: opened,
    updated_at: opened,
    closed_at: null,
    merged_at: null,
    merge_commit_sha: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: pull.draft,
    commits_url: commits,
    review_comments_url: reviewComments,
    review_comment_url: reviewComment,
    comments_url: comments,
    statuses_url: statuses,
    head: side(links, owner, head, facts.headSha, facts.repository),
    base: side(links, owner, base, facts.baseSha, facts.repository),
    _links: {
      self: { href: self },
      html: { href: html },
      issue: { href: issue },
      comments: { href: comments },
      review_comments: { href: reviewComments },
      review_comment: { href: reviewComment },
      commits: { href: commits },
      statuses: { href: statuses },
    },
    author_association: "NONE",
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** What one pull request shows beyond the list's form. */
export function pullSizeShape(pull: PullRequest, size: PullSize): Record<string, unknown> {
  return {
    merged: false,
    // GitHub finds out in the background, and says null until then.
    mergeable: null,
    rebaseable: null,
    mergeable_state: "unknown",
    merged_by: null,
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: pull.maintainerCanModify,
    commits: size.commits,
    additions: size.additions,
    deletions: size.deletions,
    changed_files: size.changedFiles,
  };
}
