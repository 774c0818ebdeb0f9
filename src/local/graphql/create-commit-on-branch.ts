// The mutation `createCommitOnBranch`: files added and deleted in one commit on a branch that must stand at `expectedHeadOid`.
// Owns: the input's form and GitHub's STALE_DATA. New files are regular ones; those that are there keep their mode.
import type { CommitAuthor } from "../git/commit-text.ts";
import { ImpossibleChange, type TreeChange } from "../git/edited-tree.ts";
import { isTreePath } from "../git/tree-names.ts";
import { locate } from "../git/tree-path.ts";
import type { Exchange, RepositoryExchange } from "../http/exchange.ts";
import { assertMaySet, beforeWriting } from "../http/permissions.ts";
import { callerAsAuthor } from "../routes/writing/authorship.ts";
import { commitToBranch } from "../routes/writing/branch-commit.ts";
import { decodeBase64 } from "../shapes/base64.ts";
import { FieldError, type ObjectType } from "./execute.ts";
import { type Input, inputList, inputObject, oid, optionalText, text } from "./input.ts";
import { byName, type CommitSource, commitType, refType } from "./repository.ts";
import { refusalError } from "./update-refs.ts";

interface Payload {
  clientMutationId: string | null;
  commit: CommitSource;
  branch: string;
}
const asPayload = (source: unknown): Payload => source as Payload;

export const payload: ObjectType<Exchange> = {
  name: "CreateCommitOnBranchPayload",
  fields: {
    clientMutationId: { resolve: (source) => asPayload(source).clientMutationId },
    commit: { type: commitType, resolve: (source) => asPayload(source).commit },
    ref: {
      type: refType,
      resolve(source) {
        const { commit, branch } = asPayload(source);
        return { exchange: commit.exchange, ref: { name: `refs/heads/${branch}`, sha: commit.sha } };
      },
    },
  },
};

const unprocessable = (message: string): FieldError => new FieldError("UNPROCESSABLE", message);

const stale = (head: string): FieldError =>
  new FieldError("STALE_DATA", `Expected branch to point to "${head}" but it did not.  Pull and try again.`);

function pathOf(change: Input): string {
  const path = text(change, "path");
  if (!isTreePath(path)) throw unprocessable("path contains a malformed path component");
  return path;
}

async function addition(exchange: RepositoryExchange, tree: string, change: Input): Promise<TreeChange> {
  const { git } = exchange.repository;
  const path = pathOf(change);
  const content = decodeBase64(text(change, "contents"));
  if (content === null) throw unprocessable(`The contents of ${path} are not valid Base64`);
  const [old, sha] = await Promise.all([locate(git, tree, path), git.writer.blob(content)]);
  return { path, mode: old?.mode.startsWith("100") ? old.mode : "100644", sha };
}

function messageOf(input: Input): string {
  const message = inputObject(input.message, "message");
  const body = optionalText(message, "body") ?? "";
  return body === "" ? text(message, "headline") : `${text(message, "headline")}\n\n${body}`;
}

/** GitHub itself commits, and signs. */
const committer = ({ seconds, zone }: CommitAuthor): CommitAuthor => ({
  name: "GitHub",
  email: "noreply@github.com",
  seconds,
  zone,
});

export async function createCommitOnBranch(given: unknown, asked: Exchange): Promise<Payload> {
  const input = inputObject(given, "input");
  const where = inputObject(input.branch, "branch");
  const [owner = "", name = ""] = text(where, "repositoryNameWithOwner").split("/");
  const exchange = await byName(asked, owner, name);
  beforeWriting(asked.host, asked.caller, exchange.repository, "contents");
  const branch = text(where, "branchName").replace(/^refs\/heads\//, "");
  const head = oid(input, "expectedHeadOid");
  const { git } = exchange.repository;
  const ref = await git.firstRef(`refs/heads/${branch}`);
  if (ref === null) throw new FieldError("NOT_FOUND", `The branch ${branch} does not exist`);
  const tree = (await git.commit(head))?.tree;
  if (ref.sha !== head || tree === undefined) throw stale(head);
  const files = inputObject(input.fileChanges ?? {}, "fileChanges");
  const added = inputList(files.additions ?? [], "additions");
  const deleted = inputList(files.deletions ?? [], "deletions").map(pathOf);
  assertMaySet(asked.caller, [...added.map(pathOf), ...deleted]);
  const changes = [
    ...(await Promise.all(added.map((change) => addition(exchange, tree, change)))),
    ...deleted.map((path): TreeChange => ({ path, mode: "100644", sha: null })),
  ];
  const author = callerAsAuthor(exchange);
  const made = await commitToBranch(exchange, {
    branch,
    head,
    changes,
    message: messageOf(input),
    author,
    committer: committer(author),
  }).catch((reason: unknown) => {
    if (!(reason instanceof ImpossibleChange)) throw reason;
    throw unprocessable(
      `A path was requested for deletion which does not exist as of commit oid \`${head}\``,
    );
  });
  if (made.refusal?.kind === "raced") throw stale(head);
  if (made.refusal !== null) throw refusalError(exchange, made.refusal);
  return {
    clientMutationId: optionalText(input, "clientMutationId"),
    commit: { exchange, sha: made.sha },
    branch,
  };
}
