// Refs of the git API: one exactly, or all that start with something. Never resolves SHAs.
import type { Ref } from "../git/repository.ts";
import { type Answer, json } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { linkHeader, pageOf } from "../http/pages.ts";
import { encodePath, linksOf, nodeId } from "../shapes/links.ts";
import { missing } from "./missing.ts";

const DOCS = "https://docs.github.com/rest/git/refs";

/** Null when the ref's object is not in the store. */
export async function refShape(
  exchange: RepositoryExchange,
  ref: Ref,
): Promise<Record<string, unknown> | null> {
  const info = await exchange.repository.git.info(ref.sha);
  if (!info) return null;
  const links = linksOf(exchange);
  return {
    ref: ref.name,
    node_id: nodeId("Ref", links.fullName, ref.name),
    url: links.api(`/git/${encodePath(ref.name)}`),
    object: { sha: ref.sha, type: info.type, url: links.api(`/git/${info.type}s/${ref.sha}`) },
  };
}

async function startingWith(
  exchange: RepositoryExchange,
  prefix: string,
): Promise<Record<string, unknown>[]> {
  const all = await exchange.repository.git.refs();
  const matching = all.filter(({ name }) => name.startsWith(`refs/${prefix}`));
  const shapes = await Promise.all(matching.map((ref) => refShape(exchange, ref)));
  return shapes.filter((shape) => shape !== null);
}

async function exactly(exchange: RepositoryExchange, name: string): Promise<Record<string, unknown> | null> {
  const ref = await exchange.repository.git.firstRef(`refs/${name}`);
  return ref && (await refShape(exchange, ref));
}

async function one(exchange: RepositoryExchange): Promise<Answer> {
  const found = await exactly(exchange, exchange.params.ref ?? "");
  if (!found) throw await missing(exchange);
  return json(found);
}

async function matching(exchange: RepositoryExchange): Promise<Answer> {
  const found = await startingWith(exchange, exchange.params.ref ?? "");
  if (found.length === 0 && (await exchange.repository.git.isEmpty())) throw await missing(exchange);
  return json(found);
}

/** The older route: a ref, or an array when the name is but the beginning of some. */
async function older(exchange: RepositoryExchange): Promise<Answer> {
  const name = exchange.params.ref ?? "";
  const exact = name === "" ? null : await exactly(exchange, name);
  if (exact) return json(exact);
  const found = await startingWith(exchange, name);
  if (found.length === 0) throw await missing(exchange);
  const page = pageOf(exchange.query, { usual: 30, most: 100 });
  return json(found.slice(page.start, page.end), linkHeader(exchange, page, found.length));
}

export const refs: RepositoryRoute[] = [
  { method: "GET", pattern: "/git/ref/{ref+}", docs: `${DOCS}#get-a-reference`, run: one },
  { method: "GET", pattern: "/git/matching-refs", docs: `${DOCS}#list-matching-references`, run: matching },
  {
    method: "GET",
    pattern: "/git/matching-refs/{ref*}",
    docs: `${DOCS}#list-matching-references`,
    run: matching,
  },
  { method: "GET", pattern: "/git/refs", docs: `${DOCS}#list-matching-references`, run: older },
  { method: "GET", pattern: "/git/refs/{ref*}", docs: `${DOCS}#get-a-reference`, run: older },
];
