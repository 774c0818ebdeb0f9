// Trees of the git API, by SHA of a tree or commit or by ref, flat or recursive, cut at GitHub's two limits.
import { resolveCommit } from "../git/resolve.ts";
import { type ListedEntry, listTree } from "../git/tree-listing.ts";
import { type Answer, ApiError, json } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { immutable, lastModified } from "../shapes/cache.ts";
import { type Links, linksOf } from "../shapes/links.ts";
import { missing } from "./missing.ts";

const FULL_SHA = /^[0-9a-f]{40}$/;

interface Asked {
  /** What `sha` says in the answer: the tree as asked, or the commit the tree was reached by. */
  sha: string;
  tree: string;
  committed: number | null;
}

async function findTree(exchange: RepositoryExchange, name: string): Promise<Asked> {
  const { git, defaultBranch } = exchange.repository;
  const direct = FULL_SHA.test(name) ? await git.info(name) : null;
  if (direct?.type === "tree") return { sha: name, tree: name, committed: null };
  if (direct?.type === "blob") {
    throw new ApiError(422, "Invalid object requested. SHA must identify a commit or a tree.");
  }
  const found = await resolveCommit(git, name, defaultBranch);
  const commit = found && (await git.commit(found.commit));
  if (!commit) throw await missing(exchange);
  return { sha: found.commit, tree: commit.tree, committed: commit.committer.seconds };
}

function entryShape(links: Links, entry: ListedEntry): Record<string, unknown> {
  const { path, mode, type, sha, size } = entry;
  if (type === "commit") return { path, mode, type, sha };
  if (type === "tree") return { path, mode, type, sha, url: links.api(`/git/trees/${sha}`) };
  return { path, mode, type, sha, size: size ?? 0, url: links.api(`/git/blobs/${sha}`) };
}

/** A tree as GitHub shows it, cut at its two limits. */
export async function treeShape(
  exchange: RepositoryExchange,
  asked: Pick<Asked, "sha" | "tree">,
  recursive: boolean,
): Promise<Record<string, unknown>> {
  const { host, repository } = exchange;
  const links = linksOf(exchange);
  const shapes: Record<string, unknown>[] = [];
  let size = 0;
  const { truncated } = await listTree(repository.git, asked.tree, recursive, (entry, index) => {
    if (index >= host.limits.treeEntries) return false;
    const shape = entryShape(links, entry);
    size += Buffer.byteLength(JSON.stringify(shape)) + 1;
    if (size > host.limits.treeBytes) return false;
    shapes.push(shape);
    return true;
  });
  return { sha: asked.sha, url: links.api(`/git/trees/${asked.sha}`), tree: shapes, truncated };
}

async function tree(exchange: RepositoryExchange): Promise<Answer> {
  const { params, query, caller } = exchange;
  const name = params.sha ?? "";
  const asked = await findTree(exchange, name);
  // Any value of `recursive` counts, "0" and "false" too.
  return json(await treeShape(exchange, asked, query.has("recursive")), {
    ...(FULL_SHA.test(name) ? immutable(caller.token) : {}),
    ...(asked.committed === null ? {} : lastModified(asked.committed)),
  });
}

export const trees: RepositoryRoute[] = [
  {
    method: "GET",
    pattern: "/git/trees/{sha+}",
    docs: "https://docs.github.com/rest/git/trees#get-a-tree",
    run: tree,
  },
];
