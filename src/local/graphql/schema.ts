// The part of GitHub's GraphQL schema that this host has: finding a repository, and the two mutations that write.
import type { Exchange } from "../http/exchange.ts";
import { loginOf } from "../routes/writing/authorship.ts";
import { nodeId } from "../shapes/links.ts";
import { userId } from "../shapes/user.ts";
import { payload as commitPayload, createCommitOnBranch } from "./create-commit-on-branch.ts";
import type { ObjectType, Schema } from "./execute.ts";
import { byName, repositoryType } from "./repository.ts";
import { payload as updatePayload, updateRefs } from "./update-refs.ts";

const viewer: ObjectType<Exchange> = {
  name: "User",
  fields: {
    login: { resolve: (_, __, exchange) => loginOf(exchange) },
    id: { resolve: (_, __, exchange) => nodeId("User", userId(loginOf(exchange))) },
  },
};

const rateLimit: ObjectType<Exchange> = {
  name: "RateLimit",
  fields: {
    cost: { resolve: () => 1 },
    limit: { resolve: (_, __, { host, caller }) => host.rateLimits.bucket(caller, "graphql").limit },
    remaining: { resolve: (_, __, { host, caller }) => host.rateLimits.bucket(caller, "graphql").remaining },
    used: { resolve: (_, __, { host, caller }) => host.rateLimits.bucket(caller, "graphql").used },
    resetAt: {
      resolve: (_, __, { host, caller }) =>
        new Date(host.rateLimits.bucket(caller, "graphql").reset * 1000).toISOString(),
    },
  },
};

/** `refUpdates` false: an older server, without `updateRefs`. */
export function schemaOf(refUpdates: boolean): Schema<Exchange> {
  return {
    query: {
      name: "Query",
      fields: {
        viewer: { type: viewer, resolve: () => ({}) },
        rateLimit: { type: rateLimit, resolve: () => ({}) },
        repository: {
          type: repositoryType,
          required: ["name", "owner"],
          resolve: (_, { owner, name }, exchange) => byName(exchange, String(owner), String(name)),
        },
      },
    },
    mutation: {
      name: "Mutation",
      fields: {
        createCommitOnBranch: {
          type: commitPayload,
          required: ["input"],
          resolve: (_, { input }, exchange) => createCommitOnBranch(input, exchange),
        },
        ...(refUpdates && {
          updateRefs: {
            type: updatePayload,
            required: ["input"],
            resolve: (_: unknown, { input }: Record<string, unknown>, exchange: Exchange) =>
              updateRefs(input, exchange),
          },
        }),
      },
    },
  };
}
