/**
 * What the Worker may be bound to beside text settings, by the names of wrangler.toml. Everything here is optional by its
 * type: what a setting needs and is not bound is said by whoever needs it.
 */
import type { RateLimiter } from "../auth/caller-limits.ts";
import type { EntitiesRpc } from "../parsing/entities-rpc.ts";

export interface Bindings {
  /** Checked objects, for ever; archives too, where there is no bucket. */
  OBJECTS?: KVNamespace;
  /** Archives of commits. */
  ARCHIVES?: R2Bucket;
  /** Live registry, tokens and audit; needed with ADMIN_TOKEN or TEAMS. */
  LIVE_REGISTRY?: DurableObjectNamespace;
  /** Budgets, tips and App tokens for all isolates together; each isolate for itself without it. */
  BUDGETS?: DurableObjectNamespace;
  /** What webhooks told; needed with GITHUB_WEBHOOK_SECRET. */
  NEWS?: DurableObjectNamespace;
  /** Turns of those who commit to one branch; each isolate gives them out for itself without it. */
  BRANCH_QUEUES?: DurableObjectNamespace;
  /** What became of calls with a request_id; nothing is ever written without it. */
  REQUESTS?: DurableObjectNamespace;
  /** The Worker that parses source (`entities-worker.ts`); without it there are no entities. */
  ENTITIES?: EntitiesRpc;
  ADDRESS_LIMIT?: RateLimiter;
  TOKEN_LIMIT?: RateLimiter;
}
