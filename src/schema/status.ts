/** Result of `GET /v1/status`: what is left of GitHub's budgets, and how well the caches serve. Names no repository. */
import * as z from "zod";
import { RATE_RESOURCE_NAMES } from "./rate-resources.ts";

const time = z.iso.datetime().nullable();

export const budgetStatus = z.object({
  holder: z
    .string()
    .describe("Whose budget: anonymous, token:DIGEST, app:ID or installation:ID; never a secret."),
  buckets: z.array(
    z.object({
      resource: z.enum(RATE_RESOURCE_NAMES),
      limit: z.number().int(),
      remaining: z.number().int().describe("What may still be sent, requests under way already taken off."),
      resetAt: time.describe("Null: the window is over, and nothing was asked since."),
    }),
  ),
  underWay: z.number().int(),
  blockedUntil: time.describe("A secondary limit holds until then."),
  clockDifferenceMs: z.number().describe("GitHub's clock less ours."),
});

export const serviceStatus = z.object({
  product: z.literal("gitpin-edge"),
  kind: z.literal("status"),
  version: z.string(),
  github: z.object({
    apiUrl: z.string(),
    credential: z.enum(["none", "token", "app"]),
    counted: z.enum(["together", "per isolate"]).describe("together: by Durable Objects, for all isolates."),
    budgets: z.array(budgetStatus).describe("Those that this isolate has used."),
  }),
  webhooks: z
    .object({ receivedUpTo: z.number().int(), failures: z.number().int() })
    .nullable()
    .describe("Null: there are none. failures: times this isolate could not ask for news."),
  isolate: z.object({
    since: z.iso.datetime(),
    calls: z.number().int(),
    upstreamRequests: z.number().int(),
    notModified: z.number().int(),
    cacheHits: z.number().int().describe("Objects served from memory or the store."),
    cacheHitRate: z.number().nullable().describe("cacheHits of all that was needed; null before the first."),
    memoryBytes: z.number().int(),
    objectCalls: z.number().int().describe("Calls of Durable Objects for budgets, tips and tokens."),
    objectFailures: z.number().int(),
  }),
});

export type ServiceStatus = z.infer<typeof serviceStatus>;
