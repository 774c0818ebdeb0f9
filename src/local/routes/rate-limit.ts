// `GET /rate_limit`: the caller's buckets, itself free of the primary limit.
import { json } from "../http/answer.ts";
import type { Resource, Route } from "../http/exchange.ts";

const RESOURCES: Resource[] = ["core", "search", "code_search", "graphql"];

export const rateLimit: Route[] = [
  {
    method: "GET",
    pattern: "/rate_limit",
    docs: "https://docs.github.com/rest/rate-limit/rate-limit#get-rate-limit-status-for-the-authenticated-user",
    resource: null,
    run({ host, caller, apiVersion }) {
      const resources = Object.fromEntries(
        RESOURCES.map((name) => {
          const { limit, used, remaining, reset } = host.rateLimits.bucket(caller, name);
          return [name, { limit, used, remaining, reset, resource: name }];
        }),
      );
      const { core } = resources;
      return json(
        { resources, ...(apiVersion === "2022-11-28" && { rate: core }) },
        { "cache-control": "no-cache" },
      );
    },
  },
];
