// GitHub's REST API over local clones, through the real git. This is the public face of `src/local`.
// Node only. A client with this host's `url` in place of https://api.github.com cannot tell the difference, except
// that addresses in answers lead here, no account is known, and downloads come from `/_codeload/` and `/_raw/`.
// A served folder is never written to unless the host is `writable`; then objects are kept outside of it until a ref moves.
// Follows GitHub's OpenAPI description and recorded exchanges.
import type { AddressInfo } from "node:net";
import { Apps, type LocalApp } from "./apps.ts";
import { Directory, type LocalRepository } from "./directory.ts";
import { createView } from "./git/environment.ts";
import { Access, type LocalToken } from "./http/access.ts";
import { Api } from "./http/api.ts";
import { ContentLimit, type ContentLimitSettings } from "./http/content-limit.ts";
import { Downloads } from "./http/downloads.ts";
import type { HostContext } from "./http/exchange.ts";
import { FaultControl } from "./http/faults.ts";
import { type RateLimitSettings, RateLimits } from "./http/rate-limits.ts";
import { Router } from "./http/router.ts";
import { createLocalServer, type RecordedRequest } from "./http/server.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { PullRequests } from "./pull-requests.ts";
import { download } from "./routes/downloads.ts";
import { REPOSITORY_ROUTES, ROUTES } from "./routes/index.ts";

export type { LocalApp, LocalInstallation } from "./apps.ts";
export type { LocalRepository } from "./directory.ts";
export type { LocalToken } from "./http/access.ts";
export type { ContentLimitSettings } from "./http/content-limit.ts";
export type { Fault, FaultControl, FaultKind, FaultRule, WholeAnswer } from "./http/faults.ts";
export type { RateLimitSettings } from "./http/rate-limits.ts";
export type { RecordedRequest } from "./http/server.ts";
export type { Limits } from "./limits.ts";

export interface LocalHostOptions {
  repositories: LocalRepository[];
  /** Default 0: any free one. The host listens on 127.0.0.1 only. */
  port?: number;
  /** When given, any other token is 401. Private repositories are 404 without a token that opens them. */
  tokens?: (string | LocalToken)[];
  /** GitHub Apps: their JWTs are judged with their public keys. Installations may be changed while the host runs. */
  apps?: LocalApp[];
  /** 401 for whoever comes without a token. */
  requireToken?: boolean;
  /** Whether callers with a token may write; default false: 403 for every write. */
  writable?: boolean;
  /** False: GraphQL has no mutation `updateRefs`, as on older GitHub Enterprise Servers. */
  refUpdates?: boolean;
  /** GitHub's documented limits, to be made smaller in tests. */
  limits?: Partial<Limits>;
  /** The same as `limits.treeEntries`. */
  treeEntryLimit?: number;
  /** The `core` bucket; default 15,000 an hour. */
  rateLimit?: RateLimitSettings;
  /** The secondary limit on writes; off when left out, GitHub's 80 a minute and 500 an hour where `{}`. */
  contentLimit?: ContentLimitSettings;
  /** Milliseconds since the epoch; default the system's clock. */
  now?: () => number;
  /** Told of failures that were answered with 500; default: standard error. */
  onError?: (reason: unknown) => void;
  /** Told, in a line for people, of a commit that was refused because of uncommitted work in a served clone; default: nobody. */
  onWorkInTheWay?: (line: string) => void;
}

export interface LocalHost {
  /** Base URL, `http://127.0.0.1:PORT`. */
  url: string;
  port: number;
  /** Every request since the start, in the order of arrival. Empty it with `requests.length = 0`. */
  requests: RecordedRequest[];
  /** The next request to arrive that fits: to wait for a moment without sleeping. */
  nextRequest(match: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  faults: FaultControl;
  /** Sets the `core` limit and starts all buckets anew. */
  setRateLimit(settings: RateLimitSettings): void;
  allowToken(token: string | LocalToken): void;
  /** From now on 401 (only where `tokens` were given). */
  revokeToken(token: string): void;
  /** Tokens of App installations. */
  apps: Apps;
  add(repository: LocalRepository): Promise<void>;
  /** `rename("owner/old", "owner/new")`: the old name is answered with 301. */
  rename(from: string, to: string): void;
  remove(fullName: string): void;
  close(): Promise<void>;
}

/** Starts a host. Rejects when a path is no git repository, uses SHA-256, or two have the same name or id. */
export async function startLocalHost(options: LocalHostOptions): Promise<LocalHost> {
  const now = options.now ?? Date.now;
  const onError = options.onError ?? ((reason) => console.error(reason));
  const view = await createView();
  const directory = new Directory(view);
  const apps = new Apps(options.apps ?? [], now);
  const access = new Access(options.tokens, options.requireToken ?? false, apps);
  const entries = options.treeEntryLimit === undefined ? {} : { treeEntries: options.treeEntryLimit };
  const context: HostContext = {
    url: "",
    limits: { ...DEFAULT_LIMITS, ...entries, ...options.limits },
    downloads: new Downloads(now),
    rateLimits: new RateLimits(now, options.rateLimit),
    contentLimit: new ContentLimit(now, options.contentLimit),
    apps,
    pulls: new PullRequests(),
    writable: options.writable ?? false,
    refUpdates: options.refUpdates ?? true,
    onWorkInTheWay: options.onWorkInTheWay ?? (() => undefined),
    named: (caller, owner, name) => {
      const found = directory.byName(owner, name)?.repository;
      return found && access.mayRead(caller, found) ? found : undefined;
    },
    visible: (caller) => directory.all().filter((repository) => access.mayRead(caller, repository)),
    now,
  };
  const router = new Router(ROUTES, REPOSITORY_ROUTES, directory, access);
  const requests: RecordedRequest[] = [];
  const waiting = new Set<(request: RecordedRequest) => void>();
  const faults = new FaultControl();
  const server = createLocalServer({
    api: new Api(context, router, access, onError),
    faults,
    requests,
    onRequest: (request) => {
      for (const tell of waiting) tell(request);
    },
    now,
    download: (target, headers) => download(context, directory, target, headers),
    onError,
  });
  const close = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      if (server.listening) server.close(() => resolve());
      else resolve();
      server.closeAllConnections();
    });
    directory.close();
    await view.remove();
  };
  try {
    for (const repository of options.repositories) await directory.add(repository);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(options.port ?? 0, "127.0.0.1", resolve);
    });
  } catch (reason) {
    await close();
    throw reason;
  }
  const { port } = server.address() as AddressInfo;
  context.url = `http://127.0.0.1:${port}`;
  return {
    url: context.url,
    port,
    requests,
    nextRequest: (match) =>
      new Promise((resolve) => {
        const tell = (request: RecordedRequest): void => {
          if (!match(request)) return;
          waiting.delete(tell);
          resolve(request);
        };
        waiting.add(tell);
      }),
    faults,
    setRateLimit: (settings) => context.rateLimits.set(settings),
    allowToken: (token) => access.allow(token),
    revokeToken: (token) => access.revoke(token),
    apps,
    add: async (repository) => void (await directory.add(repository)),
    rename: (from, to) => directory.rename(from, to),
    remove: (fullName) => directory.remove(fullName),
    close,
  };
}
