// Making a commit of a tree and parents. The message is stored as it is, without a newline added.
import { commitText } from "../../git/commit-text.ts";
import { type Answer, ApiError, json } from "../../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../../http/exchange.ts";
import { optionalString, readMembers, requiredString, strings } from "../../http/json-body.ts";
import { gitCommitShape } from "../../shapes/commit.ts";
import { linksOf } from "../../shapes/links.ts";
import { authorOf, callerAsAuthor } from "./authorship.ts";
import { assertNotEmpty, typeAt } from "./target.ts";

async function create(exchange: RepositoryExchange): Promise<Answer> {
  await assertNotEmpty(exchange);
  const members = await readMembers(exchange);
  const message = requiredString(members, "message");
  const tree = requiredString(members, "tree");
  const parents = strings(members, "parents");
  const author = authorOf(members, "author", callerAsAuthor(exchange));
  // Who is named as author alone is the committer too.
  const committer = authorOf(members, "committer", author);
  const signature = optionalString(members, "signature");
  if (message.includes("\0")) throw new ApiError(422, "message contains a NUL byte");
  if ((await typeAt(exchange, tree)) !== "tree") throw new ApiError(422, "Tree SHA does not exist");
  for (const parent of parents) {
    if ((await typeAt(exchange, parent)) !== "commit") {
      throw new ApiError(422, "Parent SHA does not exist or is not a commit object");
    }
  }
  const { git } = exchange.repository;
  const sha = await git.writer.commit(
    commitText({ tree, parents: [...new Set(parents)], author, committer, message, signature }),
  );
  const made = await git.commit(sha);
  if (made === null) throw new Error(`the commit ${sha} cannot be read`);
  const links = linksOf(exchange);
  return json(gitCommitShape(links, sha, made), { location: links.api(`/git/commits/${sha}`) }, 201);
}

export const commitWrites: RepositoryRoute[] = [
  {
    method: "POST",
    pattern: "/git/commits",
    docs: "https://docs.github.com/rest/git/commits#create-a-commit",
    writes: "contents",
    run: create,
  },
];
