/** GitHub's buckets of requests, counted apart; as its `x-ratelimit-resource` header names them. */
export const RATE_RESOURCE_NAMES = ["core", "search", "code_search", "graphql"] as const;
