// One file written in one commit (`PUT contents`): the only way to make the first commit of an empty repository.
// Owns: what `sha` must say of a file that is there. The mode of such a file stays, a link's too: GitHub writes the link then.
import { ImpossibleChange } from "../../git/edited-tree.ts";
import { isTreePath } from "../../git/tree-names.ts";
import { type Located, locate } from "../../git/tree-path.ts";
import { type Answer, ApiError, json } from "../../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../../http/exchange.ts";
import { optionalString, readMembers, requiredString } from "../../http/json-body.ts";
import { assertMaySet } from "../../http/permissions.ts";
import { decodeBase64 } from "../../shapes/base64.ts";
import { gitCommitShape } from "../../shapes/commit.ts";
import { contentShape } from "../../shapes/content.ts";
import { linksOf } from "../../shapes/links.ts";
import { rawUrl } from "../downloads.ts";
import { authorOf, callerAsAuthor } from "./authorship.ts";
import { commitToBranch } from "./branch-commit.ts";
import { assertRefName, type Refusal, workflowText } from "./ref-changes.ts";

const malformed = (): ApiError =>
  new ApiError(422, "path contains a malformed path component", {
    members: { errors: [{ resource: "Commit", field: "path", code: "invalid" }] },
  });

async function headOf({ repository: { git } }: RepositoryExchange, branch: string): Promise<string | null> {
  const ref = await git.firstRef(`refs/heads/${branch}`);
  if (ref === null && !(await git.isEmpty())) throw new ApiError(404, `Branch ${branch} not found`);
  return ref?.sha ?? null;
}

/** What stands at the path: a file that `sha` must name, or nothing. */
async function standing(
  { repository: { git } }: RepositoryExchange,
  head: string | null,
  path: string,
  sha: string | undefined,
): Promise<Located | null> {
  const commit = head === null ? null : await git.commit(head);
  const there = commit === null ? null : await locate(git, commit.tree, path);
  if (there === null) return null;
  if (there.mode === "040000" || there.mode === "160000") throw malformed();
  if (sha === undefined) throw new ApiError(422, `Invalid request.\n\n"sha" wasn't supplied.`);
  if (sha !== there.sha) throw new ApiError(409, `${path} does not match ${sha}`);
  return there;
}

async function worded(
  exchange: RepositoryExchange,
  refusal: Refusal,
  branch: string,
  head: string | null,
): Promise<ApiError> {
  switch (refusal.kind) {
    case "protected":
      return new ApiError(
        409,
        "Repository rule violations found\n\nChanges must be made through a pull request.\n\n",
      );
    case "workflow":
      return new ApiError(409, workflowText(exchange, refusal.path));
    case "refused":
      return new ApiError(422, `Reference update failed: ${refusal.words}`);
    default: {
      const now = (await exchange.repository.git.firstRef(`refs/heads/${branch}`))?.sha;
      return new ApiError(409, `is at ${now ?? "nothing"} but expected ${head ?? "nothing"}`);
    }
  }
}

async function write(exchange: RepositoryExchange): Promise<Answer> {
  const { git, defaultBranch } = exchange.repository;
  const path = exchange.params.path ?? "";
  const members = await readMembers(exchange);
  const message = requiredString(members, "message");
  const content = decodeBase64(requiredString(members, "content"));
  const branch = (optionalString(members, "branch") ?? defaultBranch).replace(/^refs\/heads\//, "");
  const committer = authorOf(members, "committer", callerAsAuthor(exchange));
  const author = authorOf(members, "author", committer);
  if (content === null) throw new ApiError(422, "content is not valid Base64");
  if (!isTreePath(path)) throw malformed();
  assertRefName(`refs/heads/${branch}`);
  assertMaySet(exchange.caller, [path]);
  const head = await headOf(exchange, branch);
  const there = await standing(exchange, head, path, optionalString(members, "sha"));
  const blob = await git.writer.blob(content);
  const changes = [{ path, mode: there?.mode ?? "100644", sha: blob }];
  const wanted = { branch, head, changes, message, author, committer };
  const { sha, refusal } = await commitToBranch(exchange, wanted).catch((reason: unknown) => {
    throw reason instanceof ImpossibleChange ? malformed() : reason;
  });
  if (refusal !== null) throw await worded(exchange, refusal, branch, head);
  const commit = await git.commit(sha);
  if (commit === null) throw new Error(`the commit ${sha} cannot be read`);
  const links = linksOf(exchange);
  const downloadUrl = rawUrl(exchange, sha, path);
  const facts = { type: "file" as const, path, sha: blob, size: content.length, ref: branch, downloadUrl };
  const body = { content: contentShape(links, facts), commit: gitCommitShape(links, sha, commit) };
  return json(body, {}, there === null ? 201 : 200);
}

export const contentWrites: RepositoryRoute[] = [
  {
    method: "PUT",
    pattern: "/contents/{path+}",
    docs: "https://docs.github.com/rest/repos/contents#create-or-update-file-contents",
    writes: "contents",
    run: write,
  },
];
