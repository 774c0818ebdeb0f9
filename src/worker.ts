/**
 * The Worker's entry: what the runtime calls. Reads the environment once per isolate and exports the handler and the
 * Durable Object classes; how the parts fit together is `assemble/`. A bad configuration or registry stops the isolate at
 * its first line, naming the field.
 */
import { env } from "cloudflare:workers";
import { assemble } from "./assemble/assemble.ts";
import type { Bindings } from "./assemble/bindings.ts";
import { readConfig } from "./config.ts";

export { RegistryObject } from "./registry/registry-object.ts";

const app = assemble(readConfig({ ...env }), env as Bindings);

export default {
  fetch: (request, environment, context) => app.fetch(request, environment, context),
} satisfies ExportedHandler;
