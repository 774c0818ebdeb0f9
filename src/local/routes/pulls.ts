// Pull requests between branches of one repository: opened, listed, shown. Not closed, merged or reviewed; no forks.
import { changedFiles } from "../git/diff.ts";
import { countBetween, mergeBase } from "../git/history.ts";
import { type Answer, ApiError, json, notFound } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { flag, optionalString, readMembers, requiredString } from "../http/json-body.ts";
import { linkHeader, pageOf } from "../http/pages.ts";
import type { PullRequest } from "../pull-requests.ts";
import { linksOf } from "../shapes/links.ts";
import { type PullFacts, pullShape, pullSizeShape } from "../shapes/pull-request.ts";
import { currentRepository } from "./repositories.ts";
import { loginOf } from "./writing/authorship.ts";

const DOCS = "https://docs.github.com/rest/pulls/pulls";

type Mistake = { field: string; code: string } | { code: "custom"; message: string };

const refuse = (...mistakes: Mistake[]): ApiError =>
  new ApiError(422, "Validation Failed", {
    members: { errors: mistakes.map((mistake) => ({ resource: "PullRequest", ...mistake })) },
  });

/** The commit of a branch; null when there is no such branch. */
async function tipOf({ repository }: RepositoryExchange, branch: string): Promise<string | null> {
  return (await repository.git.firstRef(`refs/heads/${branch}`))?.sha ?? null;
}

/** `owner:branch` or `branch`; null when it is another owner's. */
function ownBranch({ repository }: RepositoryExchange, text: string): string | null {
  const [, owner = repository.owner, branch = ""] = /^(?:([^:]*):)?(.*)$/.exec(text) ?? [];
  return owner.toLowerCase() === repository.owner.toLowerCase() ? branch : null;
}

async function factsOf(exchange: RepositoryExchange, pull: PullRequest): Promise<PullFacts> {
  const [headSha, baseSha, { shape }] = await Promise.all([
    tipOf(exchange, pull.head),
    tipOf(exchange, pull.base),
    currentRepository(exchange),
  ]);
  // What only a repository asked for by itself shows.
  const { temp_clone_token: _, network_count: __, subscribers_count: ___, ...repository } = shape;
  return { headSha: headSha ?? pull.headSha, baseSha: baseSha ?? pull.baseSha, repository };
}

async function wholeShape(exchange: RepositoryExchange, pull: PullRequest): Promise<Record<string, unknown>> {
  const { git } = exchange.repository;
  const facts = await factsOf(exchange, pull);
  const { headSha, baseSha } = facts;
  const fork = await mergeBase(git, baseSha, headSha);
  const files = fork === null ? [] : await changedFiles(git, fork, headSha);
  const size = {
    commits: await countBetween(git, baseSha, headSha),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
  };
  return { ...pullShape(exchange, pull, facts), ...pullSizeShape(pull, size) };
}

async function open(exchange: RepositoryExchange): Promise<Answer> {
  const { host, repository } = exchange;
  const members = await readMembers(exchange);
  const title = requiredString(members, "title");
  const headName = requiredString(members, "head");
  const base = requiredString(members, "base");
  const body = members.body === null ? null : (optionalString(members, "body") ?? null);
  const draft = flag(members, "draft");
  const head = ownBranch(exchange, headName);
  const headSha = head === null ? null : await tipOf(exchange, head);
  const baseSha = await tipOf(exchange, base);
  if (headSha === null || head === null || baseSha === null) {
    const fields = [...(headSha === null ? ["head"] : []), ...(baseSha === null ? ["base"] : [])];
    throw refuse(...fields.map((field) => ({ field, code: "invalid" })));
  }
  if (title.trim() === "") throw refuse({ field: "title", code: "missing_field" });
  const same = host.pulls.of(repository).some((pull) => pull.head === head && pull.base === base);
  if (same) {
    const message = `A pull request already exists for ${repository.owner}:${head}.`;
    throw refuse({ code: "custom", message });
  }
  if ((await mergeBase(repository.git, baseSha, headSha)) === null) {
    throw refuse({ code: "custom", message: `The ${head} branch has no history in common with ${base}` });
  }
  if ((await countBetween(repository.git, baseSha, headSha)) === 0) {
    throw refuse({ code: "custom", message: `No commits between ${base} and ${head}` });
  }
  const pull = host.pulls.open(repository, {
    title,
    body,
    draft,
    head,
    base,
    login: loginOf(exchange),
    maintainerCanModify: flag(members, "maintainer_can_modify"),
    headSha,
    baseSha,
    openedAt: Math.floor(host.now() / 1000),
  });
  const location = linksOf(exchange).api(`/pulls/${pull.number}`);
  return json(await wholeShape(exchange, pull), { location }, 201);
}

/** All are open here. `head` filters only with its owner, as `owner:branch`. */
async function list(exchange: RepositoryExchange): Promise<Answer> {
  const { host, query, repository } = exchange;
  const state = query.get("state") ?? "open";
  const [head, base] = [query.get("head"), query.get("base")];
  const branch = head?.includes(":") ? ownBranch(exchange, head) : undefined;
  const found = host.pulls.of(repository).filter((pull) => {
    if (state === "closed" || branch === null) return false;
    return (branch === undefined || pull.head === branch) && (base === null || pull.base === base);
  });
  const newest = query.get("direction") === "asc" ? found : found.toReversed();
  const page = pageOf(query, { usual: 30, most: 100 });
  const shown = newest.slice(page.start, page.end);
  const shapes = await Promise.all(
    shown.map(async (pull) => pullShape(exchange, pull, await factsOf(exchange, pull))),
  );
  return json(shapes, linkHeader(exchange, page, newest.length));
}

async function one(exchange: RepositoryExchange): Promise<Answer> {
  const { host, params, repository } = exchange;
  const pull = host.pulls.of(repository).find(({ number }) => String(number) === params.number);
  if (pull === undefined) throw notFound();
  return json(await wholeShape(exchange, pull));
}

export const pulls: RepositoryRoute[] = [
  { method: "GET", pattern: "/pulls", docs: `${DOCS}#list-pull-requests`, run: list },
  {
    method: "POST",
    pattern: "/pulls",
    docs: `${DOCS}#create-a-pull-request`,
    writes: "pull_requests",
    run: open,
  },
  { method: "GET", pattern: "/pulls/{number}", docs: `${DOCS}#get-a-pull-request`, run: one },
];
