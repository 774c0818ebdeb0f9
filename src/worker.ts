/**
 * The Worker's entry: reads the environment once per isolate, wires adapters to the service, mounts the transports.
 * Holds no logic. A bad configuration or registry stops the isolate at its first line, naming the field.
 */
import { env } from "cloudflare:workers";
import bundledRegistry from "../registry.json" with { type: "json" };
import { callerLimits, type RateLimiter } from "./auth/caller-limits.ts";
import { createGate } from "./auth/gate.ts";
import { teamMap } from "./auth/team-map.ts";
import { kvArchiveStorage } from "./cache/archive/kv-storage.ts";
import { r2ArchiveStorage } from "./cache/archive/r2-storage.ts";
import { createKvStore } from "./cache/kv-store.ts";
import { MemoryTier } from "./cache/memory-tier.ts";
import { readConfig } from "./config.ts";
import { GitpinError } from "./errors.ts";
import { createGitHub } from "./github/github.ts";
import { createApp } from "./http/app.ts";
import { createMcpEndpoint } from "./mcp/endpoint.ts";
import { proveWithGitHead } from "./mcp/prompts/prove-with-git-head.ts";
import { catalogResource } from "./mcp/resources/catalog.ts";
import { createServerFactory } from "./mcp/server.ts";
import { newLedger } from "./ports/ledger.ts";
import { createAdministration } from "./registry/administration.ts";
import { fileRegistry } from "./registry/file-registry.ts";
import { LiveRegistry } from "./registry/live-registry.ts";
import { checkRegistry, parseRegistry } from "./registry/parse-registry.ts";
import { type RegistryStub, registryHome } from "./registry/registry-home.ts";
import { REGISTRY_OBJECT_NAME } from "./registry/registry-object.ts";
import { createTokenDesk } from "./registry/token-desk.ts";
import { withinTeam } from "./registry/within-team.ts";
import type { ServicePorts } from "./service/service-ports.ts";
import { catalogTool } from "./tools/catalog.ts";
import { createTools } from "./tools/index.ts";
import { VERSION } from "./version.ts";

interface Bindings {
  OBJECTS?: KVNamespace;
  ARCHIVES?: R2Bucket;
  LIVE_REGISTRY?: DurableObjectNamespace;
  ADDRESS_LIMIT?: RateLimiter;
  TOKEN_LIMIT?: RateLimiter;
}

export { RegistryObject } from "./registry/registry-object.ts";

const config = readConfig({ ...env });
const { OBJECTS, ARCHIVES, LIVE_REGISTRY, ADDRESS_LIMIT, TOKEN_LIMIT } = env as Bindings;
const clock = { now: () => Date.now() };
const teams = teamMap(config.teams);

/** The deployed registry: all there is, or what the live one starts with. */
const deployedRegistry = () =>
  config.registryText === null
    ? checkRegistry(bundledRegistry)
    : parseRegistry(config.registryText, "REGISTRY");

function openLiveRegistry() {
  if (!config.live) return null;
  if (LIVE_REGISTRY === undefined) {
    throw new GitpinError(
      "invalid_argument",
      "ADMIN_TOKEN or TEAMS is set, and there is no binding LIVE_REGISTRY.",
      "Bind the Durable Object class RegistryObject as LIVE_REGISTRY (see wrangler.toml).",
      { field: "LIVE_REGISTRY" },
    );
  }
  const home = registryHome(() => {
    const stub = LIVE_REGISTRY.getByName(REGISTRY_OBJECT_NAME);
    return stub as unknown as RegistryStub;
  });
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  return {
    registry: new LiveRegistry({
      home,
      teams,
      clock,
      anonymous: config.anonymous,
      maxAgeMs: config.registryMaxAgeSeconds * 1000,
      seed: deployedRegistry,
    }),
    administration: createAdministration(home, teams, createTokenDesk({ home, teams, clock, random })),
  };
}

const live = openLiveRegistry();
const registry = live?.registry ?? fileRegistry(deployedRegistry(), config.anonymous);
const admit = createGate({
  adminToken: config.adminToken,
  anonymous: config.anonymous,
  limits: callerLimits(ADDRESS_LIMIT, TOKEN_LIMIT),
  // Without a live registry there are no tokens, so none that is presented holds.
  enter: async (proof) => (await live?.registry.enter(proof)) ?? null,
});

/** A bucket where one is bound, else the KV namespace. */
function archiveStorage() {
  if (ARCHIVES !== undefined) return r2ArchiveStorage(ARCHIVES, () => crypto.randomUUID());
  return OBJECTS === undefined ? null : kvArchiveStorage(OBJECTS);
}

const github = createGitHub({
  ...config,
  fetch: (input, init) => fetch(input, init),
  ...(OBJECTS === undefined ? {} : { store: createKvStore(OBJECTS).open }),
  memory: new MemoryTier(config.memoryCacheBytes),
  archiveStorage: archiveStorage(),
  clock,
  userAgent: `gitpin-edge/${VERSION}`,
});

const service: ServicePorts = {
  registry,
  open: (entry, call) => withinTeam(github.open(entry, call), entry, teams),
  webUrl: config.webUrl,
  publicUrl: config.publicUrl,
  pause: () => scheduler.wait(0),
};
const tools = createTools(service);

const app = createApp({
  tools,
  openCall: async (request, background) => ({
    caller: await admit(request),
    ledger: newLedger(),
    background,
    signal: request.signal,
  }),
  ...(live === null ? {} : { administration: live.administration }),
  registry,
  mcp: createMcpEndpoint({
    streaming: "progress",
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
