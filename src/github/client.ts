/**
 * Requests to GitHub's REST API: credentials, budget, versions, repeats, redirects, and what failures mean.
 * Owns: the credential goes to the API host alone; every single request is reserved from its budget first; only GETs are
 * repeated, few times, after a 5xx or a broken connection, and once with a new credential after a 401; redirects are followed
 * inside the API only. Answers of 200, 304, 404, 409 and 422 are the caller's to read.
 */
import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { GitpinError } from "../errors.ts";
import type { Asking } from "./asking.ts";
import type { Budgets } from "./budget/budget.ts";
import { LOST, type RateResource, readTold } from "./budget/limits.ts";
import type { Credential, Credentials } from "./credentials/credentials.ts";
import { failureOf, tooLarge, unavailable, unexpected } from "./failure.ts";
import { isOfApi, redirectTarget } from "./redirect.ts";
import { type Consume, exchangeOnce, type Received, Refusal } from "./transport.ts";

export interface ClientOptions {
  /** Base URL of the API, without a final slash. */
  apiUrl: string;
  credentials: Credentials;
  budgets: Budgets;
  fetch: typeof fetch;
  timeoutMs: number;
  userAgent: string;
  /** Wait before the first repeat, in milliseconds; the second waits four times as long. */
  repeatAfterMs?: number;
}

export interface HostRequest {
  /** Below the API's base, each segment encoded, with its query. */
  path: string;
  /** For error texts: "a blob", "the commit". */
  what: string;
  accept?: string;
  /** Makes the request conditional. */
  etag?: string | null;
  resource?: RateResource;
  /** Body bytes read at most, and the error when there are more. */
  maxBytes?: number;
  excess?: () => GitpinError;
  /** In place of the client's own bound on time, in milliseconds. */
  timeoutMs?: number;
  /** Takes the body of a 200 piece by piece, from the start for each try; the answer's `bytes` are then empty. */
  consume?: Consume | undefined;
}

export type HostAnswer =
  | { status: 200; bytes: Uint8Array; contentType: string; etag: string | null; link: string | null }
  | { status: 304 }
  /** `message` is the host's, for telling cases apart; it is never shown. */
  | { status: 404 | 409 | 422; message: string };

export interface Client {
  get(request: HostRequest, asking: Asking): Promise<HostAnswer>;
  /**
   * Where a download lies: the redirect that the API answers with. Whether that place may be asked is for `download-target.ts`.
   * Null: 404, 409 or 422. A redirect within the API is followed.
   */
  downloadAddress(request: HostRequest, asking: Asking): Promise<string | null>;
}

export const JSON_TYPE = "application/vnd.github+json";
export const API_VERSION = "2022-11-28";
const HOPS_AT_MOST = 3;
const REPEATS = 2;
/** A recursive tree is the largest JSON there is: 100,000 entries of about 300 bytes. */
const JSON_BYTES_AT_MOST = 48 * 1024 * 1024;

const quiet = () => undefined;
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const RepeatingOctokit = Octokit.plugin(retry);

/** What octokit throws for an answer of 304 or above, as far as it is read here. */
interface RefusedAnswer {
  status: number;
  response?: { headers: Record<string, string | undefined>; data: unknown };
}

const isRefusedAnswer = (thrown: unknown): thrown is RefusedAnswer =>
  thrown instanceof Error && "status" in thrown && typeof thrown.status === "number";

const isUnauthorized = (thrown: unknown): boolean => isRefusedAnswer(thrown) && thrown.status === 401;

/** The body of a refusal; null where it is no JSON. */
function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return null;
  }
}

interface HostProblem {
  message: string;
  /** `errors[].code`, e.g. `too_large`. */
  codes: string[];
}

function problemOf(data: unknown): HostProblem {
  if (typeof data !== "object" || data === null) return { message: "", codes: [] };
  const message = "message" in data && typeof data.message === "string" ? data.message : "";
  const errors: unknown[] = "errors" in data && Array.isArray(data.errors) ? data.errors : [];
  const codes = errors.flatMap((error) =>
    typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
      ? [error.code]
      : [],
  );
  return { message, codes };
}

/** Name of a network failure (`ECONNREFUSED`), where the runtime tells one; never its text. */
function networkReason(thrown: unknown): string {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z_]{3,40}$/.test(at.code)) return at.code;
  }
  return "the connection failed";
}

export function createClient(options: ClientOptions): Client {
  const { apiUrl, credentials, budgets, timeoutMs, userAgent } = options;
  const octokit = new RepeatingOctokit({
    baseUrl: apiUrl,
    log: silent,
    retry: {
      retries: REPEATS,
      retryAfterBaseValue: options.repeatAfterMs ?? 200,
      doNotRetry: Array.from({ length: 100 }, (_, i) => 400 + i),
    },
  });

  function failed(thrown: unknown, request: HostRequest, asking: Asking): HostAnswer {
    if (thrown instanceof Refusal) throw thrown.failure;
    if (!isRefusedAnswer(thrown)) throw thrown;
    if (thrown.response === undefined) throw unavailable(request.what, networkReason(thrown));
    const { status } = thrown;
    if (status === 304) {
      asking.ledger.notModified += 1;
      return { status };
    }
    const { message, codes } = problemOf(thrown.response.data);
    if (status === 404 || status === 409 || status === 422) return { status, message };
    if (status === 403 && codes.includes("too_large")) throw (request.excess ?? (() => tooLarge(0)))();
    throw failureOf(status, request.what);
  }

  /** One request on its way: reserved, sent, settled. Throws a `Refusal` for a limit, before or after. */
  async function send(
    request: HostRequest,
    asking: Asking,
    { token, holder }: Credential,
    url: string,
    init: RequestInit,
  ): Promise<Received> {
    const { what, maxBytes = JSON_BYTES_AT_MOST, consume } = request;
    const { ledger, background, priority } = asking;
    const excess = request.excess ?? (() => unexpected(what, "it is larger than any such answer"));
    const budget = budgets.of(holder);
    const keepAlive = (work: Promise<unknown>): void => background.keepAlive(work);
    const permit = await budget.reserve(request.resource ?? "core", priority).catch((limit: unknown) => {
      throw limit instanceof GitpinError ? new Refusal(limit) : limit;
    });
    const exchange = {
      fetch: options.fetch,
      ledger,
      timeoutMs: request.timeoutMs ?? timeoutMs,
      maxBytes,
      excess,
      what,
      consume,
    };
    const received = await exchangeOnce(exchange, url, init).catch((failure: unknown) => {
      budget.settle(permit, LOST, keepAlive);
      throw failure;
    });
    const message = (): string => problemOf(jsonOf(received.body)).message;
    const told = readTold(received.status, received.headers, message, token !== null);
    const limit = budget.settle(permit, told, keepAlive);
    if (limit !== null) throw new Refusal(limit);
    return received;
  }

  async function exchange(
    request: HostRequest,
    asking: Asking,
    leaves: (location: string) => boolean,
  ): Promise<HostAnswer | { status: 302; location: string }> {
    const { what } = request;
    let credential = await credentials.credential(asking);
    let renewed = false;
    let path = request.path;
    for (let hop = 0; hop <= HOPS_AT_MOST; hop++) {
      const { token } = credential;
      try {
        const answer = await octokit.request(`GET ${path}`, {
          headers: {
            accept: request.accept ?? JSON_TYPE,
            ...(token === null ? {} : { authorization: `token ${token}` }),
            "user-agent": userAgent,
            "x-github-api-version": API_VERSION,
            ...(asking.traceparent === undefined ? {} : { traceparent: asking.traceparent }),
            ...(request.etag ? { "if-none-match": request.etag } : {}),
          },
          request: {
            fetch: (url: string, init: RequestInit) => send(request, asking, credential, url, init),
            parseSuccessResponseBody: false,
            log: silent,
          },
        });
        const status: number = answer.status;
        const { headers } = answer;
        if (status === 200) {
          return {
            status,
            bytes: answer.data as Uint8Array,
            contentType: headers["content-type"] ?? "",
            etag: headers.etag ?? null,
            link: headers.link ?? null,
          };
        }
        if (status !== 301 && status !== 302 && status !== 307 && status !== 308)
          throw failureOf(status, what);
        const { location } = headers;
        if (location !== undefined && leaves(location)) return { status: 302, location };
        path = redirectTarget(apiUrl, path, location, what);
      } catch (thrown) {
        if (thrown instanceof GitpinError) throw thrown;
        const other =
          !renewed && isUnauthorized(thrown) ? await credentials.renewed(asking, credential) : null;
        if (other === null) return failed(thrown, request, asking);
        renewed = true;
        credential = other;
        hop -= 1;
      }
    }
    throw unexpected(what, "it redirects without end");
  }

  return {
    async get(request, asking) {
      const answer = await exchange(request, asking, () => false);
      if (answer.status === 302) throw unexpected(request.what, "it redirects");
      return answer;
    },
    async downloadAddress(request, asking) {
      const answer = await exchange(request, asking, (location) => !isOfApi(apiUrl, location));
      if (answer.status === 302) return answer.location;
      if (answer.status === 200 || answer.status === 304)
        throw unexpected(request.what, `HTTP ${answer.status} instead of a redirect`);
      return null;
    },
  };
}
