// Repositories and refs in GraphQL: found by name or node id, with the few fields that writing needs.
import { followHead, type ServedRepository } from "../directory.ts";
import type { Ref } from "../git/repository.ts";
import type { Exchange, RepositoryExchange } from "../http/exchange.ts";
import { encodePath, linksOf, nodeId } from "../shapes/links.ts";
import { FieldError, type ObjectType } from "./execute.ts";

/** What an object in an answer is made from. */
const asRepository = (source: unknown): RepositoryExchange => source as RepositoryExchange;

interface RefSource {
  exchange: RepositoryExchange;
  ref: Ref;
}
const asRef = (source: unknown): RefSource => source as RefSource;

export interface CommitSource {
  exchange: RepositoryExchange;
  sha: string;
}
const asCommit = (source: unknown): CommitSource => source as CommitSource;

export const repositoryNodeId = ({ id }: ServedRepository): string => nodeId("Repository", id);

async function entered(exchange: Exchange, repository: ServedRepository): Promise<RepositoryExchange> {
  await followHead(repository);
  return { ...exchange, repository };
}

export async function byName(exchange: Exchange, owner: string, name: string): Promise<RepositoryExchange> {
  const found = exchange.host.named(exchange.caller, owner, name);
  if (found === undefined) {
    throw new FieldError("NOT_FOUND", `Could not resolve to a Repository with the name '${owner}/${name}'.`);
  }
  return await entered(exchange, found);
}

export async function byNodeId(exchange: Exchange, id: string): Promise<RepositoryExchange> {
  const found = exchange.host.visible(exchange.caller).find((one) => repositoryNodeId(one) === id);
  if (found === undefined) {
    throw new FieldError("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
  }
  return await entered(exchange, found);
}

export const commitType: ObjectType<Exchange> = {
  name: "Commit",
  fields: {
    id: {
      resolve: (source) =>
        nodeId("Commit", linksOf(asCommit(source).exchange).fullName, asCommit(source).sha),
    },
    oid: { resolve: (source) => asCommit(source).sha },
    url: { resolve: (source) => linksOf(asCommit(source).exchange).web(`/commit/${asCommit(source).sha}`) },
  },
};

export const refType: ObjectType<Exchange> = {
  name: "Ref",
  fields: {
    id: {
      resolve: (source) => nodeId("Ref", linksOf(asRef(source).exchange).fullName, asRef(source).ref.name),
    },
    name: { resolve: (source) => asRef(source).ref.name.replace(/^refs\/[^/]+\//, "") },
    prefix: { resolve: (source) => /^refs\/[^/]+\//.exec(asRef(source).ref.name)?.[0] ?? "" },
    target: {
      type: commitType,
      resolve: (source): CommitSource => ({ exchange: asRef(source).exchange, sha: asRef(source).ref.sha }),
    },
  },
};

async function refOf(exchange: RepositoryExchange, ...names: string[]): Promise<RefSource | null> {
  const ref = await exchange.repository.git.firstRef(...names);
  return ref === null ? null : { exchange, ref };
}

export const repositoryType: ObjectType<Exchange> = {
  name: "Repository",
  fields: {
    id: { resolve: (source) => repositoryNodeId(asRepository(source).repository) },
    databaseId: { resolve: (source) => asRepository(source).repository.id },
    name: { resolve: (source) => asRepository(source).repository.name },
    nameWithOwner: { resolve: (source) => linksOf(asRepository(source)).fullName },
    isArchived: { resolve: (source) => asRepository(source).repository.archived },
    isPrivate: { resolve: (source) => asRepository(source).repository.private },
    isEmpty: { resolve: (source) => asRepository(source).repository.git.isEmpty() },
    url: {
      resolve: (source) =>
        `${linksOf(asRepository(source)).base}/${encodePath(linksOf(asRepository(source)).fullName)}`,
    },
    defaultBranchRef: {
      type: refType,
      resolve: (source) =>
        refOf(asRepository(source), `refs/heads/${asRepository(source).repository.defaultBranch}`),
    },
    ref: {
      type: refType,
      required: ["qualifiedName"],
      resolve(source, { qualifiedName }) {
        const name = String(qualifiedName);
        const full = name.startsWith("refs/") ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`];
        return refOf(asRepository(source), ...full);
      },
    },
  },
};
