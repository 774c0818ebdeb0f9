// Commits in GitHub's two forms: the "commit" of the repository API and the "git commit" of the git API.
// Owns: what GitHub does to them: dates in UTC, one trailing newline of the message dropped. Accounts are unknown to a
// clone, so `author` and `committer` (the accounts) are null, as for addresses GitHub cannot match.
import type { Commit, Identity, Signed } from "../git/objects.ts";
import { type Links, nodeId } from "./links.ts";

/** `2011-04-14T16:00:49Z`; a date beyond what can be written becomes the epoch. */
export function isoDate(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${(Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString().slice(0, 19)}Z`;
}

export function personShape(who: Identity): { name: string; email: string; date: string } {
  return { name: who.name, email: who.email, date: isoDate(who.seconds) };
}

/** GitHub drops one trailing newline, not all. */
export function messageShape(message: string): string {
  return message.endsWith("\n") ? message.slice(0, -1) : message;
}

/** No keys are known here, so a signature is never verified. */
export function verificationShape(signed: Signed): Record<string, unknown> {
  return {
    verified: false,
    reason: signed.signature === null ? "unsigned" : "unknown_key",
    signature: signed.signature,
    payload: signed.payload,
    verified_at: null,
  };
}

export function gitCommitShape(links: Links, sha: string, commit: Commit): Record<string, unknown> {
  return {
    sha,
    node_id: nodeId("Commit", links.fullName, sha),
    url: links.api(`/git/commits/${sha}`),
    html_url: links.web(`/commit/${sha}`),
    author: personShape(commit.author),
    committer: personShape(commit.committer),
    tree: { sha: commit.tree, url: links.api(`/git/trees/${commit.tree}`) },
    message: messageShape(commit.message),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: links.api(`/git/commits/${parent}`),
      html_url: links.web(`/commit/${parent}`),
    })),
    verification: verificationShape(commit),
  };
}

export function commitShape(links: Links, sha: string, commit: Commit): Record<string, unknown> {
  return {
    sha,
    node_id: nodeId("Commit", links.fullName, sha),
    commit: {
      author: personShape(commit.author),
      committer: personShape(commit.committer),
      message: messageShape(commit.message),
      tree: { sha: commit.tree, url: links.api(`/git/trees/${commit.tree}`) },
      url: links.api(`/git/commits/${sha}`),
      comment_count: 0,
      verification: verificationShape(commit),
    },
    url: links.api(`/commits/${sha}`),
    html_url: links.web(`/commit/${sha}`),
    comments_url: links.api(`/commits/${sha}/comments`),
    author: null,
    committer: null,
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: links.api(`/commits/${parent}`),
      html_url: links.web(`/commit/${parent}`),
    })),
  };
}
