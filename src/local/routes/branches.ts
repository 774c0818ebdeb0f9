// Branches and tags as lists for people: with the commit each leads to.
import type { Ref } from "../git/repository.ts";
import { type Answer, ApiError, json } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { linkHeader, pageOf } from "../http/pages.ts";
import { commitShape } from "../shapes/commit.ts";
import { encodePath, linksOf, nodeId } from "../shapes/links.ts";
import { emptyOr } from "./missing.ts";

const BRANCH_DOCS = "https://docs.github.com/rest/branches/branches";
const WHERE_HEAD_DOCS = "https://docs.github.com/rest/commits/commits#list-branches-for-head-commit";

const PROTECTION = {
  required_status_checks: { enforcement_level: "off", contexts: [], checks: [] },
};

interface Named {
  name: string;
  commit: string;
}

/** Only what leads to a commit; a tag of a tree or blob is not shown. */
async function leadingToCommits(exchange: RepositoryExchange, refs: Ref[], prefix: string): Promise<Named[]> {
  const named = refs.map(async ({ name, sha }) => {
    const info = await exchange.repository.git.peel(sha);
    return info?.type === "commit" ? [{ name: name.slice(prefix.length), commit: info.sha }] : [];
  });
  return (await Promise.all(named)).flat();
}

async function branchesOf(exchange: RepositoryExchange): Promise<Named[]> {
  const refs = await exchange.repository.git.refs("refs/heads");
  return await leadingToCommits(exchange, refs, "refs/heads/");
}

function branchShape(exchange: RepositoryExchange, { name, commit }: Named): Record<string, unknown> {
  return {
    name,
    commit: { sha: commit, url: linksOf(exchange).api(`/commits/${commit}`) },
    protected: exchange.repository.protectedBranches.includes(name),
  };
}

async function listBranches(exchange: RepositoryExchange): Promise<Answer> {
  const { protectedBranches } = exchange.repository;
  const asked = exchange.query.get("protected");
  const all = await branchesOf(exchange);
  const branches = all.filter(({ name }) => {
    return asked === null || protectedBranches.includes(name) === (asked === "true");
  });
  const page = pageOf(exchange.query, { usual: 30, most: 100 });
  const shapes = branches.slice(page.start, page.end).map((branch) => branchShape(exchange, branch));
  return json(shapes, linkHeader(exchange, page, branches.length));
}

async function listWhereHead(exchange: RepositoryExchange): Promise<Answer> {
  const sha = exchange.params.sha ?? "";
  if (!/^[0-9a-f]{40}$/.test(sha) || (await exchange.repository.git.commit(sha)) === null) {
    throw await emptyOr(exchange, new ApiError(422, `No commit found for SHA: ${sha}`));
  }
  const branches = (await branchesOf(exchange)).filter(({ commit }) => commit === sha);
  return json(branches.map((branch) => branchShape(exchange, branch)));
}

async function oneBranch(exchange: RepositoryExchange): Promise<Answer> {
  const { git } = exchange.repository;
  const ref = await git.firstRef(`refs/heads/${exchange.params.branch ?? ""}`);
  const commit = ref && (await git.commit(ref.sha));
  if (!commit) throw new ApiError(404, "Branch not found");
  const links = linksOf(exchange);
  const name = ref.name.slice("refs/heads/".length);
  const self = links.api(`/branches/${encodePath(name)}`);
  const isProtected = exchange.repository.protectedBranches.includes(name);
  return json({
    name,
    commit: commitShape(links, ref.sha, commit),
    _links: { self, html: links.web(`/tree/${encodePath(name)}`) },
    protected: isProtected,
    protection: { ...PROTECTION, enabled: isProtected },
    protection_url: `${self}/protection`,
  });
}

async function listTags(exchange: RepositoryExchange): Promise<Answer> {
  const links = linksOf(exchange);
  const refs = await exchange.repository.git.refs("refs/tags");
  const tags = (await leadingToCommits(exchange, refs, "refs/tags/")).reverse();
  const page = pageOf(exchange.query, { usual: 30, most: 100 });
  const shapes = tags.slice(page.start, page.end).map(({ name, commit }) => ({
    name,
    zipball_url: links.api(`/zipball/refs/tags/${encodePath(name)}`),
    tarball_url: links.api(`/tarball/refs/tags/${encodePath(name)}`),
    commit: { sha: commit, url: links.api(`/commits/${commit}`) },
    node_id: nodeId("Ref", links.fullName, `refs/tags/${name}`),
  }));
  return json(shapes, linkHeader(exchange, page, tags.length));
}

export const branches: RepositoryRoute[] = [
  { method: "GET", pattern: "/branches", docs: `${BRANCH_DOCS}#list-branches`, run: listBranches },
  { method: "GET", pattern: "/branches/{branch+}", docs: `${BRANCH_DOCS}#get-a-branch`, run: oneBranch },
  { method: "GET", pattern: "/commits/{sha}/branches-where-head", docs: WHERE_HEAD_DOCS, run: listWhereHead },
  {
    method: "GET",
    pattern: "/tags",
    docs: "https://docs.github.com/rest/repos/repos#list-repository-tags",
    run: listTags,
  },
];
