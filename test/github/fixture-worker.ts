/**
 * A Worker of the adapter alone: reads one file at HEAD of one repository. For tests of what workerd does to promises,
 * streams and timers that live across requests. `?alive=no` leaves the call's work to die with its request.
 */
import { createKvStore } from "../../src/cache/kv-store.ts";
import { MemoryTier } from "../../src/cache/memory-tier.ts";
import { asGitpinError } from "../../src/errors.ts";
import { createGitHub, type GitHub } from "../../src/github/github.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import { repositoryEntry } from "../../src/schema/registry.ts";

interface Environment {
  GITHUB_API_URL: string;
  REPOSITORY_ID: string;
  FOLLOW_MS: string;
  OBJECTS: KVNamespace;
}

/** One per isolate, as in the product. */
let github: GitHub | null = null;
let started = 0;

const open = (environment: Environment): GitHub =>
  createGitHub({
    apiUrl: environment.GITHUB_API_URL,
    token: null,
    fetch,
    store: createKvStore(environment.OBJECTS).open,
    memory: new MemoryTier(10_000_000),
    clock: { now: () => Date.now() },
    headMaxAgeSeconds: 300,
    timeoutMs: 20_000,
    followMs: Number(environment.FOLLOW_MS),
    userAgent: "gitpin-test",
    maxBlobBytes: 10_000_000,
    repeatAfterMs: 10,
  });

export default {
  async fetch(request, environment, context): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/started") return Response.json(started);
    started += 1;
    github ??= open(environment);
    const ledger = newLedger();
    const dies = searchParams.get("alive") === "no";
    const keepAlive = (work: Promise<unknown>): void => {
      if (!dies) context.waitUntil(work);
    };
    const entry = repositoryEntry.parse({
      name: "r",
      owner: "octo",
      repo: "r",
      id: Number(environment.REPOSITORY_ID),
    });
    const reader = github.open(entry, { ledger, background: { keepAlive } });
    try {
      const { sha } = await reader.head();
      const commit = await reader.commit(sha);
      const found = commit && (await reader.entry(commit, decodeURIComponent(pathname.slice(1))));
      if (!found) return new Response("no such path", { status: 404 });
      const bytes = await reader.blob(found.entry.id);
      return new Response(bytes, { headers: { "x-requests": String(ledger.upstreamRequests) } });
    } catch (error) {
      return Response.json(asGitpinError(error).report(), { status: 500 });
    }
  },
} satisfies ExportedHandler<Environment>;
