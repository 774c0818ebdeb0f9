/**
 * The reads about entities as a caller meets them, in Node: a clone behind the local host, the adapter to GitHub with a store
 * in memory, the parser in this process. Owns callers, the clock and the count of requests.
 */
import type { ArchiveStorage } from "../../src/cache/archive/storage.ts";
import { MemoryTier } from "../../src/cache/memory-tier.ts";
import { createGitHub, type GitHubOptions } from "../../src/github/github.ts";
import { type LocalHost, type LocalHostOptions, startLocalHost } from "../../src/local/host.ts";
import type { EntityParser } from "../../src/ports/entity-parser.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import { ANONYMOUS, type Caller } from "../../src/ports/registry.ts";
import { fileRegistry } from "../../src/registry/file-registry.ts";
import { parseRegistry } from "../../src/registry/parse-registry.ts";
import type { EntitiesFound, EntitySource, KinStatus } from "../../src/schema/entities.ts";
import type { ServicePorts } from "../../src/service/service-ports.ts";
import { createTools } from "../../src/tools/index.ts";
import { invoke } from "../../src/tools/invoke.ts";
import { MapStore } from "../repositories/hosted.ts";
import { nodeEntityParser } from "../support/entity-parser.ts";

export interface Results {
  kin_status: KinStatus;
  kin_find_entities: EntitiesFound;
  get_entity_source: EntitySource;
}

export interface ReadServiceOptions {
  host: LocalHostOptions;
  registry: readonly Record<string, unknown>[];
  github?: Partial<GitHubOptions>;
  /** Null: nothing parses. */
  parser?: EntityParser | null;
  /** Stands in where nothing may write; its operations are not called by reads. */
  writing?: ServicePorts["writing"];
  headMaxAgeSeconds?: number;
}

export interface ReadService {
  host: LocalHost;
  ask<N extends keyof Results>(tool: N, input: Record<string, unknown>, caller?: Caller): Promise<Results[N]>;
  /** Requests that reached the host meanwhile, without the repository's address. */
  counted<T>(work: () => Promise<T>): Promise<{ result: T; requests: string[] }>;
  /** Another isolate: same store, empty memory, nothing remembered. */
  anew(): void;
  close(): Promise<void>;
}

function mapArchives(): ArchiveStorage {
  const values = new Map<string, Uint8Array>();
  return {
    readManifest: async (key) => values.get(key) ?? null,
    writeManifest: async (key, bytes) => void values.set(key, bytes.slice()),
    dropManifest: async (key) => void values.delete(key),
    readPart: async (place, { sha256 }) => values.get(`${place}/${sha256}`) ?? null,
    writer: (key) => ({
      write: async ({ sha256 }, bytes) => void values.set(`${key}/${sha256}`, bytes.slice()),
      finish: async () => key,
      abort: async () => undefined,
    }),
  };
}

export async function startReadService(options: ReadServiceOptions): Promise<ReadService> {
  const host = await startLocalHost(options.host);
  const registry = fileRegistry(
    parseRegistry(JSON.stringify({ version: 1, repositories: options.registry }), "REGISTRY"),
    "all",
  );
  const store = new MapStore();
  const archiveStorage = mapArchives();
  const isolate = () => {
    const github = createGitHub({
      apiUrl: host.url,
      token: null,
      fetch,
      store: store.open,
      archiveStorage,
      memory: new MemoryTier(50_000_000),
      clock: { now: () => Date.now() },
      headMaxAgeSeconds: options.headMaxAgeSeconds ?? 3600,
      timeoutMs: 10_000,
      userAgent: "gitpin-test",
      maxBlobBytes: 20_000_000,
      repeatAfterMs: 0,
      ...options.github,
    });
    const ports: ServicePorts = {
      registry,
      open: (entry, call) => github.open(entry, call),
      webUrl: "https://github.example",
      publicUrl: "https://gitpin.example",
      entities: options.parser === undefined ? nodeEntityParser() : options.parser,
      writing: options.writing ?? null,
    };
    return createTools(ports);
  };
  let tools = isolate();
  return {
    host,
    async ask(name, input, caller = ANONYMOUS) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const call = {
        caller,
        spelling: "dotted" as const,
        ledger: newLedger(),
        background: { keepAlive: () => undefined },
      };
      return (await invoke(tool, input, call)) as never;
    },
    async counted(work) {
      const before = host.requests.length;
      const result = await work();
      const requests = host.requests.slice(before);
      return {
        result,
        requests: requests.map(({ method, path }) => `${method} ${path.replace(/^\/repositories\/\d+/, "")}`),
      };
    },
    anew() {
      tools = isolate();
    },
    close: () => host.close(),
  };
}

/** Every page, one after the other; the last answer is the last of them. */
export async function everyPage(
  service: ReadService,
  input: Record<string, unknown>,
): Promise<EntitiesFound[]> {
  const pages: EntitiesFound[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: EntitiesFound = await service.ask("kin_find_entities", {
      ...input,
      ...(cursor === undefined ? {} : { cursor }),
    });
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}
