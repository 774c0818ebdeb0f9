// From a request to GitHub's answer: version, caller, rate limit, route, errors, ETag and the headers common to all.
// Owns: that order. Knows nothing of sockets and faults; `server.ts` does.
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Access } from "./access.ts";
import { type Answer, ApiError, errorAnswer, json } from "./answer.ts";
import { conditional } from "./conditional.ts";
import type { Caller, HostContext, Resource } from "./exchange.ts";
import { API_VERSIONS, DEFAULT_API_VERSION, type Media, parseAccept } from "./media.ts";
import { PrimaryLimit, rateLimitHeaders } from "./rate-limits.ts";
import type { Router } from "./router.ts";

export interface ApiRequest {
  method: string;
  /** Raw path with its query. */
  target: string;
  headers: IncomingHttpHeaders;
  /** Where it comes from: the rate limit bucket of callers without a token. */
  address: string;
  body(): Promise<Buffer>;
}

/** What every step needs to know of a request. */
interface Common {
  media: Media;
  caller: Caller;
  requestId: string;
  /** Null: one that GitHub does not know. */
  version: string | null;
}

const DOCS = "https://docs.github.com/rest";
const GRAPHQL = "/graphql";
const NO_USER_AGENT =
  "Request forbidden by administrative rules. Please make sure your request has a User-Agent header (https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent-required). Check https://developer.github.com for other possible causes.\n";

/** As `1C45:3F2A:9B01D2:A3F4C5:66B2E1F0`. */
export function newRequestId(): string {
  const hex = randomBytes(15).toString("hex").toUpperCase();
  return [hex.slice(0, 4), hex.slice(4, 10), hex.slice(10, 16), hex.slice(16, 22), hex.slice(22)].join(":");
}

export class Api {
  readonly #host: HostContext;
  readonly #router: Router;
  readonly #access: Access;
  readonly #onError: (reason: unknown) => void;

  constructor(host: HostContext, router: Router, access: Access, onError: (reason: unknown) => void) {
    this.#host = host;
    this.#router = router;
    this.#access = access;
    this.#onError = onError;
  }

  async answer(request: ApiRequest, requestId: string): Promise<Answer> {
    const { headers } = request;
    if (!headers["user-agent"]) {
      const type = { "content-type": "text/html; charset=utf-8" };
      return { status: 403, headers: type, body: Buffer.from(NO_USER_AGENT) };
    }
    const media = parseAccept(headers.accept);
    const version = supportedVersion(headers["x-github-api-version"]);
    const nobody: Caller = { token: null, key: request.address };
    let caller = nobody;
    try {
      caller = this.#access.identify(headers.authorization, request.address);
    } catch (reason) {
      const refused = this.#failure(reason, DOCS);
      return this.#dressed(refused, { media, caller: nobody, resource: "core", requestId, version });
    }
    const path = pathOf(request);
    const match = this.#router.match(request.method, path);
    const resource = match?.resource === undefined ? "core" : match.resource;
    const common = { media, caller, requestId, version };
    const answered = await this.#run(request, { ...common, path, resource, match });
    return this.#dressed(answered, { ...common, resource: resource ?? "core" });
  }

  /** The answer when the primary limit is used up, whatever is left of it. */
  limited(request: ApiRequest, requestId: string, status: 403 | 429): Answer {
    const error = this.#host.rateLimits.exceeded(this.#claimed(request), requestId, status);
    return pathOf(request) === GRAPHQL ? graphqlLimited(error) : errorAnswer(error, DOCS);
  }

  /** The caller's `x-ratelimit-*` headers, with another `remaining` if given. */
  limitHeaders(request: ApiRequest, remaining?: number): Record<string, string> {
    const resource = pathOf(request) === GRAPHQL ? "graphql" : "core";
    const bucket = this.#host.rateLimits.bucket(this.#claimed(request), resource);
    const shown = remaining === undefined ? bucket : { ...bucket, remaining, used: bucket.limit - remaining };
    return rateLimitHeaders(shown, resource);
  }

  /** Who the request says it is from; a refused token counts as nobody. */
  #claimed(request: ApiRequest): Caller {
    try {
      return this.#access.identify(request.headers.authorization, request.address);
    } catch (refused) {
      if (refused instanceof ApiError) return { token: null, key: request.address };
      throw refused;
    }
  }

  async #run(
    request: ApiRequest,
    found: Common & { path: string; resource: Resource | null; match: ReturnType<Router["match"]> },
  ): Promise<Answer> {
    const { path, media, caller, requestId, resource, match, version: apiVersion } = found;
    const { method, headers, target, body } = request;
    try {
      const refund =
        resource === null ? () => undefined : this.#host.rateLimits.spend(caller, resource, requestId);
      if (apiVersion === null) throw unsupportedVersion(String(headers["x-github-api-version"]));
      if (!match) throw new ApiError(404, "Not Found");
      const query = new URLSearchParams(target.slice(path.length + 1));
      const exchange = {
        host: this.#host,
        method,
        path,
        query,
        params: {},
        headers,
        media,
        apiVersion,
        caller,
        body,
      };
      const ran = await match.run(exchange);
      const answer = method === "GET" || method === "HEAD" ? conditional(ran, headers) : ran;
      if (answer.status === 304 && caller.token !== null) refund();
      return answer;
    } catch (reason) {
      if (reason instanceof PrimaryLimit && resource === "graphql") return graphqlLimited(reason);
      return this.#failure(reason, match?.docs ?? DOCS);
    }
  }

  #failure(reason: unknown, docs: string): Answer {
    if (reason instanceof ApiError) return errorAnswer(reason, docs);
    this.#onError(reason);
    return errorAnswer(new ApiError(500, "Server Error"), docs);
  }

  #dressed(answer: Answer, common: Common & { resource: Resource }): Answer {
    const { media, caller, resource, requestId, version } = common;
    const scope = caller.token === null ? "public" : "private";
    const varied = caller.token === null ? "Accept" : "Accept, Authorization, Cookie, X-GitHub-OTP";
    const cached = answer.status < 400 ? { "cache-control": `${scope}, max-age=60, s-maxage=60` } : {};
    return {
      ...answer,
      headers: {
        ...cached,
        vary: `${varied},Accept-Encoding, Accept, X-Requested-With`,
        ...answer.headers,
        "x-github-media-type": media.label,
        "x-github-request-id": requestId,
        ...(version !== null && { "x-github-api-version-selected": version }),
        "x-content-type-options": "nosniff",
        ...rateLimitHeaders(this.#host.rateLimits.bucket(caller, resource), resource),
      },
    };
  }
}

const pathOf = ({ target }: ApiRequest): string => target.split("?", 1)[0] ?? "";

/** GraphQL tells of its primary limit with 200. */
const graphqlLimited = ({ message }: ApiError): Answer =>
  json({ errors: [{ type: "RATE_LIMITED", message }] });

/** The default when none is asked for, null for one GitHub does not know. */
function supportedVersion(asked: string | string[] | undefined): string | null {
  const version = asked ?? DEFAULT_API_VERSION;
  return typeof version === "string" && API_VERSIONS.includes(version) ? version : null;
}

function unsupportedVersion(version: string): ApiError {
  const [latest, ...older] = [...API_VERSIONS].reverse().map((known) => `"${known}"`);
  const supported = [`${latest} (most recent)`, ...older].join(", ");
  return new ApiError(
    400,
    `The version you specified in the "X-GitHub-API-Version" request header, "${version}", is not a supported version. The following versions are currently supported: ${supported}.`,
    { documentationUrl: DOCS },
  );
}
