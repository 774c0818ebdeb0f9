// The Worker on this machine: bundles an entry for workerd and runs it on a loopback port, as `npm start` and tests do.
// Node only. Owns the compatibility settings here (those of wrangler.toml) and which bindings a run has.
// Reaches no network but what the Worker itself asks. `close()` stops the runtime. The Worker that parses source runs beside it
// where that is asked for: its grammars take a while to load.
import { EventEmitter, once } from "node:events";
import { Log, LogLevel, Miniflare, type MiniflareOptions } from "miniflare";
import { type Bundle, bundle } from "./bundle.ts";
import { freePort } from "./port.ts";

const RUNTIME = { compatibilityDate: "2026-11-17", compatibilityFlags: ["nodejs_compat"] };
const MAIN_WORKER = "worker-under-test";
const SECOND_WORKER = "entities";

/** The product's Worker that parses source. */
export const ENTITIES_ENTRY = "src/entities-worker.ts";

export interface WorkerOptions {
  /** Path of the entry from the repository root, e.g. `src/worker.ts`. */
  entry: string;
  /** Default: any free one. */
  port?: number;
  /** Folder in which KV and Durable Objects outlive the process; in memory when left out. */
  stateFolder?: string;
  /** Text bindings. `PUBLIC_URL` may hold `{url}`, which becomes the address that the Worker runs at. */
  vars?: Readonly<Record<string, string>>;
  /** Names of KV bindings; `OBJECTS` when left out. */
  kv?: readonly string[];
  /** Names of R2 bindings; none when left out. */
  r2?: readonly string[];
  /** Durable Objects with SQLite storage: binding name to exported class name. */
  durableObjects?: Readonly<Record<string, string>>;
  /** Entry of the Worker bound as `ENTITIES`, see `ENTITIES_ENTRY`; there is none when left out. */
  entities?: string;
  /** Rate-limiting bindings: calls a minute. */
  rateLimits?: Readonly<Record<string, number>>;
  /** Where V8's inspector listens; nowhere when left out. */
  inspectorPort?: number;
  /** Takes each line that the Worker writes; they are kept in `logs` when left out, which is for runs that end. */
  onLog?: (line: string) => void;
}

export interface RunningWorker {
  /** `http://127.0.0.1:PORT`, without a final slash. */
  url: string;
  /** Lines that the Worker wrote with `console`, oldest first. They arrive a little after the answer. */
  logs: readonly string[];
  /** Resolves with all lines as soon as there are at least so many. */
  logged(count: number): Promise<readonly string[]>;
  /** A KV namespace of the Worker, from outside. */
  kv(binding?: string): Promise<KVNamespace>;
  close(): Promise<void>;
}

function runtimeOptions(
  options: WorkerOptions,
  manifest: Bundle,
  entities: Bundle | null,
  url: URL,
  log: (line: string) => void,
): MiniflareOptions {
  const vars = Object.entries(options.vars ?? {});
  const objects = Object.entries(options.durableObjects ?? {});
  return {
    host: url.hostname,
    port: Number(url.port),
    log: new Log(LogLevel.ERROR),
    cf: false,
    telemetry: { enabled: false },
    ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
    ...(options.stateFolder === undefined ? {} : { resourcePersistencePath: options.stateFolder }),
    handleStructuredLogs: (line) => log(line.message),
    workers: [
      {
        config: {
          name: MAIN_WORKER,
          ...RUNTIME,
          manifest,
          env: {
            ...Object.fromEntries(
              vars.map(([name, value]) => [
                name,
                { type: "text", value: value.replaceAll("{url}", url.origin) },
              ]),
            ),
            ...Object.fromEntries(
              (options.kv ?? ["OBJECTS"]).map((name) => [name, { type: "kv", id: name }]),
            ),
            ...Object.fromEntries(
              (options.r2 ?? []).map((name) => [name, { type: "r2" as const, name: name.toLowerCase() }]),
            ),
            ...Object.fromEntries(
              Object.entries(options.rateLimits ?? {}).map(([name, limit]) => [
                name,
                { type: "rate-limit" as const, namespace: name, simple: { limit, period: 60 as const } },
              ]),
            ),
            ...Object.fromEntries(
              objects.map(([name, exportName]) => [
                name,
                { type: "durable-object", worker: MAIN_WORKER, exportName },
              ]),
            ),
            ...(entities === null ? {} : { ENTITIES: { type: "worker" as const, worker: SECOND_WORKER } }),
          },
          exports: Object.fromEntries(
            objects.map(([, exportName]) => [exportName, { type: "durable-object", storage: "sqlite" }]),
          ),
        },
      },
      ...(entities === null ? [] : [{ config: { name: SECOND_WORKER, ...RUNTIME, manifest: entities } }]),
    ],
  };
}

/** Starts the Worker and resolves when it answers. Throws what bundling or starting says. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const [manifest, entities, port] = await Promise.all([
    bundle(options.entry),
    options.entities === undefined ? null : bundle(options.entities),
    options.port ?? freePort(),
  ]);
  const url = new URL(`http://127.0.0.1:${port}`);
  const logs: string[] = [];
  const written = new EventEmitter();
  const keep = (line: string): void => {
    logs.push(line);
    written.emit("line");
  };
  const runtime = new Miniflare(runtimeOptions(options, manifest, entities, url, options.onLog ?? keep));
  // A runtime that did not start would keep the process, and may itself be running half.
  await runtime.ready.catch(async (cause: unknown) => {
    await runtime.dispose().catch(() => undefined);
    throw cause;
  });
  return {
    url: url.origin,
    logs,
    logged: async (count) => {
      while (logs.length < count) await once(written, "line");
      return logs;
    },
    // Its own types describe the same namespace under other names.
    kv: async (binding = "OBJECTS") => (await runtime.getKVNamespace(binding)) as unknown as KVNamespace,
    close: () => runtime.dispose(),
  };
}
