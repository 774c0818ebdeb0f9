/**
 * The whole product as a caller meets it: local clones behind the local host, the Worker in workerd, REST in front.
 * Owns starting and stopping both; counts requests to the host.
 */
import { type LocalHost, type LocalHostOptions, startLocalHost } from "../src/local/host.ts";
import { ENTITIES_ENTRY, type RunningWorker, startWorker } from "./running-worker.ts";

export interface StackOptions {
  host: LocalHostOptions;
  /** Registry rows; `id` is filled in where `ids` is set. */
  registry: readonly Record<string, unknown>[];
  vars?: Readonly<Record<string, string>>;
  /** No memory and no KV: every call asks the host for everything. */
  uncached?: boolean;
  /** Names of R2 bindings. */
  r2?: readonly string[];
  /** Durable Objects: binding name to exported class name. */
  durableObjects?: Readonly<Record<string, string>>;
  /** Whether the Worker that parses source runs beside it. */
  entities?: boolean;
}

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface Stack {
  host: LocalHost;
  worker: RunningWorker;
  get<T = Record<string, unknown>>(path: string, query?: Record<string, string | number>): Promise<Answer<T>>;
  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<T>>;
  /** Runs `work` and tells how many requests reached the host meanwhile. */
  counted<T>(work: () => Promise<T>): Promise<{ result: T; requests: string[] }>;
  close(): Promise<void>;
}

/** Tests run git synchronously, so an idle connection may die unseen: each request takes a fresh one. */
const FRESH = { connection: "close" };

async function answerOf<T>(response: Response): Promise<Answer<T>> {
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

const startedWorker = (host: LocalHost, options: StackOptions): Promise<RunningWorker> =>
  startWorker({
    entry: "src/worker.ts",
    vars: {
      PUBLIC_URL: "{url}",
      GITHUB_API_URL: host.url,
      GITHUB_WEB_URL: "https://github.example",
      ANONYMOUS_ACCESS: "all",
      HEAD_MAX_AGE: "0",
      REGISTRY: JSON.stringify({ version: 1, repositories: options.registry }),
      ...(options.uncached ? { MEMORY_CACHE_BYTES: "0" } : {}),
      ...options.vars,
    },
    ...(options.uncached ? { kv: [] } : {}),
    ...(options.r2 === undefined ? {} : { r2: options.r2 }),
    ...(options.durableObjects === undefined ? {} : { durableObjects: options.durableObjects }),
    ...(options.entities === true ? { entities: ENTITIES_ENTRY } : {}),
  });

export async function startStack(options: StackOptions): Promise<Stack> {
  const host = await startLocalHost(options.host);
  const worker = await startedWorker(host, options).catch(async (error: unknown) => {
    // A test whose start failed must end, and an open host would keep it.
    await host.close();
    throw error;
  });
  return {
    host,
    worker,
    async get(path, query = {}) {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      return await answerOf(await fetch(`${worker.url}${path}?${search}`, { headers: FRESH }));
    },
    async post(path, body) {
      const headers = { ...FRESH, "content-type": "application/json" };
      return await answerOf(
        await fetch(`${worker.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
      );
    },
    async counted(work) {
      const before = host.requests.length;
      const result = await work();
      return { result, requests: host.requests.slice(before).map(({ method, path }) => `${method} ${path}`) };
    },
    async close() {
      await worker.close();
      await host.close();
    },
  };
}
