/**
 * Requests to GitHub's REST API: credentials, versions, repeats, redirects, and what failures mean.
 * Owns: the credential goes to the API host alone; only GETs are repeated, few times, after a 5xx or a broken connection;
 * redirects are followed inside the API only. Answers of 200, 304, 404, 409 and 422 are the caller's to read.
 */
import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ledger } from "../ports/ledger.ts";
import { failureOf, tooLarge, unavailable, unexpected } from "./failure.ts";
import { RateGate, type RateResource, rateLimitOf } from "./rate-limit.ts";
import { isOfApi, redirectTarget } from "./redirect.ts";
import { exchangeOnce, Refusal } from "./transport.ts";

export interface ClientOptions {
  /** Base URL of the API, without a final slash. */
  apiUrl: string;
  token: string | null;
  fetch: typeof fetch;
  clock: Clock;
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
}

export type HostAnswer =
  | { status: 200; bytes: Uint8Array; contentType: string; etag: string | null; link: string | null }
  | { status: 304 }
  /** `message` is the host's, for telling cases apart; it is never shown. */
  | { status: 404 | 409 | 422; message: string };

export interface Client {
  get(request: HostRequest, ledger: Ledger): Promise<HostAnswer>;
  /**
   * Where a download lies: the redirect that the API answers with. Whether that place may be asked is for `download-target.ts`.
   * Null: 404, 409 or 422. A redirect within the API is followed.
   */
  downloadAddress(request: HostRequest, ledger: Ledger): Promise<string | null>;
}

export const JSON_TYPE = "application/vnd.github+json";
const API_VERSION = "2022-11-28";
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
  const { apiUrl, token, clock, timeoutMs, userAgent } = options;
  const octokit = new RepeatingOctokit({
    baseUrl: apiUrl,
    log: silent,
    ...(token === null ? {} : { auth: token }),
    retry: {
      retries: REPEATS,
      retryAfterBaseValue: options.repeatAfterMs ?? 200,
      doNotRetry: Array.from({ length: 100 }, (_, i) => 400 + i),
    },
  });
  const gate = new RateGate(clock);

  function failed(thrown: unknown, request: HostRequest, ledger: Ledger): HostAnswer {
    if (thrown instanceof Refusal) throw thrown.failure;
    if (!isRefusedAnswer(thrown)) throw thrown;
    if (thrown.response === undefined) throw unavailable(request.what, networkReason(thrown));
    const { status } = thrown;
    const { headers, data } = thrown.response;
    if (status === 304) {
      ledger.notModified += 1;
      return { status };
    }
    const { message, codes } = problemOf(data);
    const limit = rateLimitOf(status, headers, message, clock.now());
    if (limit !== null) throw gate.shut(request.resource ?? "core", limit);
    if (status === 404 || status === 409 || status === 422) return { status, message };
    if (status === 403 && codes.includes("too_large")) throw (request.excess ?? (() => tooLarge(0)))();
    throw failureOf(status, request.what);
  }

  async function exchange(
    request: HostRequest,
    ledger: Ledger,
    leaves: (location: string) => boolean,
  ): Promise<HostAnswer | { status: 302; location: string }> {
    const { what, maxBytes = JSON_BYTES_AT_MOST } = request;
    const excess = request.excess ?? (() => unexpected(what, "it is larger than any such answer"));
    const once = { fetch: options.fetch, ledger, timeoutMs, maxBytes, excess, what };
    let path = request.path;
    for (let hop = 0; hop <= HOPS_AT_MOST; hop++) {
      gate.pass(request.resource ?? "core");
      try {
        const answer = await octokit.request(`GET ${path}`, {
          headers: {
            accept: request.accept ?? JSON_TYPE,
            "user-agent": userAgent,
            "x-github-api-version": API_VERSION,
            ...(request.etag ? { "if-none-match": request.etag } : {}),
          },
          request: {
            fetch: (url: string, init: RequestInit) => exchangeOnce(once, url, init),
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
        return failed(thrown, request, ledger);
      }
    }
    throw unexpected(what, "it redirects without end");
  }

  return {
    async get(request, ledger) {
      const answer = await exchange(request, ledger, () => false);
      if (answer.status === 302) throw unexpected(request.what, "it redirects");
      return answer;
    },
    async downloadAddress(request, ledger) {
      const answer = await exchange(request, ledger, (location) => !isOfApi(apiUrl, location));
      if (answer.status === 302) return answer.location;
      if (answer.status === 200 || answer.status === 304)
        throw unexpected(request.what, `HTTP ${answer.status} instead of a redirect`);
      return null;
    },
  };
}
