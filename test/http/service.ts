/** The whole product over the example repository, with a live registry, for tests of REST as it is documented. */
import { startLocalHost } from "../../src/local/host.ts";
import { WRITING_OBJECTS } from "../../src/local/service-options.ts";
import { ENTITIES_ENTRY, type RunningWorker, startWorker } from "../running-worker.ts";
import { type ExampleRepository, exampleRepository } from "./example-repository.ts";

export const ADMIN_TOKEN = "operators-own-token-0123456789abcdef";

/** GitHub's id of the example repository: ids of entities are made of it. */
const EXAMPLE_ID = 4711;

export interface Service {
  worker: RunningWorker;
  example: ExampleRepository;
  /** Requests that reached the hosting site. */
  asked(): number;
  ask(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  vars?: Readonly<Record<string, string>>;
  /** Without ADMIN_TOKEN: the registry is a file. */
  file?: true;
  /** With the Worker that parses source, and all that committing takes: the example may be changed by who has the scope. */
  entities?: true;
  /** Further commits, made before the service starts. */
  prepare?(example: ExampleRepository): void;
}

const row = (more: object) => ({ owner: "octo", repo: "example", ...more });

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const example = exampleRepository();
  options.prepare?.(example);
  const host = await startLocalHost({
    repositories: [{ owner: "octo", name: "example", path: example.repository.path, id: EXAMPLE_ID }],
    tokens: ["the-services-own-credential"],
  });
  const worker = await startWorker({
    entry: "src/worker.ts",
    ...(options.entities === true ? { entities: ENTITIES_ENTRY } : {}),
    durableObjects: {
      LIVE_REGISTRY: "RegistryObject",
      ...(options.entities === true ? WRITING_OBJECTS : {}),
    },
    vars: {
      PUBLIC_URL: "{url}",
      GITHUB_API_URL: host.url,
      GITHUB_WEB_URL: "https://github.example",
      GITHUB_TOKEN: "the-services-own-credential",
      HEAD_MAX_AGE: "0",
      REGISTRY_MAX_AGE: "0",
      REGISTRY: JSON.stringify({
        version: 1,
        repositories: [
          row({ name: "example", visibility: "public", writable: { branches: ["main"] } }),
          row({ name: "closed", visibility: "private" }),
        ],
      }),
      ...(options.file === true
        ? {}
        : { ADMIN_TOKEN, TEAMS: JSON.stringify({ blue: { owners: ["octo"], repositories: [] } }) }),
      ...options.vars,
    },
  }).catch(async (cause: unknown) => {
    // A host that is left open would keep the test's process alive.
    await host.close();
    example.repository.remove();
    throw cause;
  });
  return {
    worker,
    example,
    asked: () => host.requests.length,
    // Tests run git synchronously, so an idle connection may die unseen: each request takes a fresh one.
    ask: (path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set("connection", "close");
      return fetch(`${worker.url}${path}`, { redirect: "manual", ...init, headers });
    },
    async close() {
      await worker.close();
      await host.close();
      example.repository.remove();
    },
  };
}
