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
import type { Access } from "./credentials/credentials.ts";
import { failureOf, networkReason, tooLarge, unavailable, unexpected } from "./failure.ts";
import { problemOf } from "./problem.ts";
import { isOfApi, redirectTarget } from "./redirect.ts";
import { type ClientOptions, createSend, headersOf, type Sending } from "./sending.ts";
import { Refusal } from "./transport.ts";

export interface HostRequest extends Sending {
  /** Below the API's base, each segment encoded, with its query. */
  path: string;
  accept?: string;
  /** Makes the request conditional. */
  etag?: string | null;
  /** What the credential must be good for; reading contents when left out. */
  access?: Access;
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

const HOPS_AT_MOST = 3;
const REPEATS = 2;

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

export function createClient(options: ClientOptions): Client {
  const { apiUrl, credentials, userAgent } = options;
  const send = createSend(options);
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

  async function exchange(
    request: HostRequest,
    asking: Asking,
    leaves: (location: string) => boolean,
  ): Promise<HostAnswer | { status: 302; location: string }> {
    const { what } = request;
    const access = request.access ?? "read";
    let credential = await credentials.credential(asking, access);
    let renewed = false;
    let path = request.path;
    for (let hop = 0; hop <= HOPS_AT_MOST; hop++) {
      try {
        const answer = await octokit.request(`GET ${path}`, {
          headers: {
            ...headersOf(userAgent, asking, credential, request.accept),
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
          !renewed && isUnauthorized(thrown) ? await credentials.renewed(asking, credential, access) : null;
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
