/** A commit as lists show it. */
import { subjectOf } from "../core/git/subject.ts";
import type { LoggedCommit } from "../ports/repository-history.ts";
import type { CommitRow } from "../schema/inspection.ts";

export const commitRowOf = ({ sha, author, committer, message, parents }: LoggedCommit): CommitRow => ({
  sha,
  author: { name: author.name, email: author.email, date: author.date },
  committer: { name: committer.name, email: committer.email, date: committer.date },
  subject: subjectOf(message),
  parents: [...parents],
});
