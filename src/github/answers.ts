/**
 * Forms of GitHub's answers, as far as they are read, and the reading of JSON.
 * Follows GitHub's OpenAPI description; fields that are not used are not demanded. What does not fit is `upstream_unexpected`,
 * what is not whole is `upstream_corrupt`.
 */
import * as z from "zod";
import type { HostCommit } from "../core/git/commit-rebuild.ts";
import { corrupt, unexpected } from "./failure.ts";

const id = z.string().regex(/^[0-9a-f]{40}$/);
const objectRef = z.object({ sha: id });
const person = z.object({
  name: z.string(),
  email: z.string(),
  date: z.string().refine((text) => Number.isFinite(Date.parse(text))),
});
const verification = z
  .object({ payload: z.string().nullish(), signature: z.string().nullish() })
  .nullish()
  .transform((value) => ({ payload: value?.payload ?? null, signature: value?.signature ?? null }));
const commitFields = {
  author: person,
  committer: person,
  message: z.string(),
  tree: objectRef,
  verification,
};

const hostCommit = (
  answer: { sha: string; parents: { sha: string }[] },
  commit: z.infer<z.ZodObject<typeof commitFields>>,
): HostCommit => ({
  sha: answer.sha,
  tree: commit.tree.sha,
  parents: answer.parents.map((parent) => parent.sha),
  author: commit.author,
  committer: commit.committer,
  message: commit.message,
  ...commit.verification,
});

/** `GET git/commits/{sha}`. */
export const gitCommitAnswer = z
  .object({ sha: id, parents: z.array(objectRef), ...commitFields })
  .transform((answer) => hostCommit(answer, answer));

/** `GET commits/{ref}`. */
export const commitAnswer = z
  .object({ sha: id, parents: z.array(objectRef), commit: z.object(commitFields) })
  .transform((answer) => hostCommit(answer, answer.commit));

/** The same of a tip; `fullName` as the host spells it now, from the commit's web address. */
export const tipAnswer = z
  .object({
    sha: id,
    parents: z.array(objectRef),
    commit: z.object(commitFields),
    html_url: z.string().optional(),
  })
  .transform((answer) => ({
    commit: hostCommit(answer, answer.commit),
    fullName: /\/([^/\s]+\/[^/\s]+)\/commit\/[0-9a-f]{40}$/.exec(answer.html_url ?? "")?.[1] ?? null,
  }));

/** `GET repositories/{id}` and `GET repos/{owner}/{repo}`. */
export const repositoryAnswer = z.object({
  id: z.number().int().positive(),
  node_id: z.string().min(1).optional(),
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  default_branch: z.string().min(1),
  private: z.boolean(),
  visibility: z.enum(["public", "private", "internal"]).optional(),
  archived: z.boolean().default(false),
  html_url: z.url({ protocol: /^https?$/ }),
});

const count = z.number().int().min(0);

/** `GET compare/{base}...{head}`, without its commits. */
export const relationAnswer = z
  .object({ ahead_by: count, behind_by: count, merge_base_commit: objectRef })
  .transform((answer) => ({
    ahead: answer.ahead_by,
    behind: answer.behind_by,
    mergeBase: answer.merge_base_commit.sha,
  }));

/** A page of commits of `GET compare/{base}...{head}`. */
export const comparedCommits = z
  .object({ total_commits: count, commits: z.array(commitAnswer) })
  .transform((answer) => ({ total: answer.total_commits, commits: answer.commits }));

/** `GET commits`. */
export const commitListAnswer = z.array(commitAnswer);

/** Throws `upstream_unexpected` for an answer that is not JSON. */
export function assertJson(contentType: string, what: string): void {
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)) throw unexpected(what, "it is not JSON");
}

/** Reads a JSON answer by its form. `what` names it in errors. */
export function readJson<T extends z.ZodType>(
  answer: { bytes: Uint8Array; contentType: string },
  form: T,
  what: string,
): z.output<T> {
  assertJson(answer.contentType, what);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(answer.bytes));
  } catch {
    throw corrupt(what, "it is not whole JSON");
  }
  const checked = form.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw unexpected(what, `${issue?.path.join(".") ?? ""} is not as documented`);
}
