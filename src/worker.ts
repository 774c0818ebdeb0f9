/**
 * The Worker's entry: what the runtime calls. Reads the environment once per isolate and exports the handler and the
 * Durable Object classes; how the parts fit together is `assemble/`. A bad configuration or registry stops the isolate at
 * its first line, naming the field.
 */
import { env } from "cloudflare:workers";
import { assemble } from "./assemble/assemble.ts";
import type { Bindings } from "./assemble/bindings.ts";
import { appSettings } from "./assemble/open-github.ts";
import { readConfig } from "./config.ts";
import { budgetObject } from "./github/budget/budget-object.ts";

export { BranchQueueObject } from "./commits/queue/branch-queue-object.ts";
export { RequestLedgerObject } from "./commits/requests/request-ledger-object.ts";
export { NewsObject } from "./github/news/news-object.ts";
export { RegistryObject } from "./registry/registry-object.ts";

const config = readConfig({ ...env });
const app = assemble(config, env as Bindings);

export const BudgetObject = budgetObject(appSettings(config));

export default {
  fetch: (request, environment, context) => app.fetch(request, environment, context),
} satisfies ExportedHandler;
