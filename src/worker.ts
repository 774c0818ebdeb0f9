/**
 * The Worker's entry: reads the environment once per isolate, wires adapters to the service, mounts the transports.
 * Holds no logic. A bad configuration or registry stops the isolate at its first line, naming the field.
 */
import { env } from "cloudflare:workers";
import bundledRegistry from "../registry.json" with { type: "json" };
import { createKvStore } from "./cache/kv-store.ts";
import { MemoryTier } from "./cache/memory-tier.ts";
import { readConfig } from "./config.ts";
import { createGitHub } from "./github/github.ts";
import { createApp } from "./http/app.ts";
import { createMcpEndpoint } from "./mcp/endpoint.ts";
import { proveWithGitHead } from "./mcp/prompts/prove-with-git-head.ts";
import { catalogResource } from "./mcp/resources/catalog.ts";
import { createServerFactory } from "./mcp/server.ts";
import { newLedger } from "./ports/ledger.ts";
import { ANONYMOUS } from "./ports/registry.ts";
import { fileRegistry } from "./registry/file-registry.ts";
import { checkRegistry, parseRegistry } from "./registry/parse-registry.ts";
import type { ServicePorts } from "./service/service-ports.ts";
import { catalogTool } from "./tools/catalog.ts";
import { createTools } from "./tools/index.ts";
import { VERSION } from "./version.ts";

interface Bindings {
  OBJECTS?: KVNamespace;
}

const config = readConfig({ ...env });
const { OBJECTS } = env as Bindings;
const registry =
  config.registryText === null
    ? checkRegistry(bundledRegistry)
    : parseRegistry(config.registryText, "REGISTRY");
const clock = { now: () => Date.now() };

const github = createGitHub({
  ...config,
  fetch: (input, init) => fetch(input, init),
  ...(OBJECTS === undefined ? {} : { store: createKvStore(OBJECTS).open }),
  memory: new MemoryTier(config.memoryCacheBytes),
  clock,
  userAgent: `gitpin-edge/${VERSION}`,
});

const service: ServicePorts = {
  registry: fileRegistry(registry, config.anonymous),
  open: (entry, call) => github.open(entry, call),
  webUrl: config.webUrl,
  publicUrl: config.publicUrl,
};
const tools = createTools(service);

const app = createApp({
  tools,
  openCall: (_request, background) => ({ caller: ANONYMOUS, ledger: newLedger(), background }),
  mcp: createMcpEndpoint({
    server: createServerFactory({
      tools,
      resources: [catalogResource(catalogTool(service))],
      prompts: [proveWithGitHead],
      version: VERSION,
    }),
  }),
  guard: { hosts: config.hosts, origins: config.origins },
  publicUrl: config.publicUrl,
  docsUrl: config.docsUrl,
  version: VERSION,
  clock,
  log: (line) => console.log(JSON.stringify(line)),
});

export default {
  fetch: (request, environment, context) => app.fetch(request, environment, context),
} satisfies ExportedHandler;
