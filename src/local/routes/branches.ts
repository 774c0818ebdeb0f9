// Branches and tags as lists for people: with the commit each leads to.
import type { Ref } from "../git/repository.ts";
import { type Answer, ApiError, json } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { linkHeader, pageOf } from "../http/pages.ts";
import { commitShape } from "../shapes/commit.ts";
import { encodePath, linksOf, nodeId } from "../shapes/links.ts";

const BRANCH_DOCS = "https://docs.github.com/rest/branches/branches";

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

async function listBranches(exchange: RepositoryExchange): Promise<Answer> {
  const links = linksOf(exchange);
  const refs = await exchange.repository.git.refs("refs/heads");
  const { protectedBranches } = exchange.repository;
  const asked = exchange.query.get("protected");
  const all = await leadingToCommits(exchange, refs, "refs/heads/");
  const branches = all.filter(({ name }) => {
    return asked === null || protectedBranches.includes(name) === (asked === "true");
  });
  const page = pageOf(exchange.query, { usual: 30, most: 100 });
  const shapes = branches.slice(page.start, page.end).map(({ name, commit }) => ({
    name,
    commit: { sha: commit, url: links.api(`/commits/${commit}`) },
    protected: protectedBranches.includes(name),
  }));
  return json(shapes, linkHeader(exchange, page, branches.length));
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
  {
    method: "GET",
    pattern: "/tags",
    docs: "https://docs.github.com/rest/repos/repos#list-repository-tags",
    run: listTags,
  },
];
