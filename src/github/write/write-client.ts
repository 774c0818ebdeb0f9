/**
 * Requests that change something at GitHub. Each is sent once: what the answer leaves open is told as `unknown`, and whoever asked reads
 * before anything is repeated. Only a 401 is answered with a second request, for then nothing was done.
 * Owns: what of an answer counts as done, refused, or unknown. Redirects are not followed: the numeric address of a repository never moves.
 */
import type { GitpinError } from "../../errors.ts";
import type { Asking } from "../asking.ts";
import type { RateResource } from "../budget/limits.ts";
import type { Access, Credential } from "../credentials/credentials.ts";
import { failureOf, networkReason, unavailable, unexpected } from "../failure.ts";
import { type HostProblem, jsonOf, problemOf } from "../problem.ts";
import { type ClientOptions, createSend, headersOf } from "../sending.ts";
import { type Received, Refusal } from "../transport.ts";

export interface WriteRequest {
  method: "POST" | "PATCH" | "PUT";
  /** Below the API's base, each segment encoded. */
  path: string;
  /** Sent as JSON. */
  body: unknown;
  /** For error texts: "a new tree". */
  what: string;
  access: Exclude<Access, "read">;
}

export interface WriteRefused extends HostProblem {
  status: "refused";
  http: number;
  /** Permissions that GitHub says it takes, e.g. `contents: write`; null where it does not say. */
  permission: string | null;
}

export type WriteAnswer =
  | { status: "done"; bytes: Uint8Array; contentType: string }
  /** GitHub read the request and did not do it. */
  | WriteRefused
  /** Nobody knows whether it was done: no answer, half an answer, or a fault of the host's. */
  | { status: "unknown"; failure: GitpinError };

export interface WriteClient {
  /** Throws `upstream_rate_limited`, `upstream_unauthorized`, `write_forbidden`: then nothing was done. */
  send(request: WriteRequest, asking: Asking): Promise<WriteAnswer>;
  /** The same to the GraphQL endpoint, which answers 200 whatever happened. */
  graphql(request: Omit<WriteRequest, "method" | "path">, asking: Asking): Promise<WriteAnswer>;
  /** Whether this host's GraphQL is known to lack a mutation; learnt once, for all calls. */
  readonly lacksUpdateRefs: { known: boolean };
}

const PERMISSION = /^[a-z_]+=[a-z]+$/;

/** `contents=write; contents=write,workflows=write`: alternatives, of which the first is the least. */
function permissionOf(header: string | null): string | null {
  const [first = ""] = (header ?? "").split(";");
  const parts = first.split(",").map((part) => part.trim());
  return parts.every((part) => PERMISSION.test(part)) ? parts.join(", ").replaceAll("=", ": ") : null;
}

/** Where GraphQL is asked: beside the REST API, which GitHub Enterprise Server has below `/api/v3`. */
export const graphqlUrl = (apiUrl: string): string =>
  /\/api\/v3$/.test(apiUrl) ? apiUrl.replace(/\/v3$/, "/graphql") : `${apiUrl}/graphql`;

export function createWriteClient(options: ClientOptions): WriteClient {
  const { apiUrl, credentials, userAgent } = options;
  const deliver = createSend(options);

  async function exchange(
    { method, body, what, access }: Omit<WriteRequest, "path">,
    url: string,
    resource: RateResource,
    asking: Asking,
  ): Promise<Received | { status: "unknown"; failure: GitpinError }> {
    const text = JSON.stringify(body);
    const once = (credential: Credential): Promise<Received> =>
      deliver({ what, resource, creates: true }, asking, credential, url, {
        method,
        headers: {
          ...headersOf(userAgent, asking, credential),
          "content-type": "application/json; charset=utf-8",
        },
        body: text,
      });
    const credential = await credentials.credential(asking, access);
    try {
      const answer = await once(credential);
      if (answer.status !== 401) return answer;
      const other = await credentials.renewed(asking, credential, access);
      return other === null ? answer : await once(other);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) {
        return { status: "unknown", failure: unavailable(what, networkReason(thrown)) };
      }
      const { failure } = thrown;
      // A limit that was reached: nothing was done. All else that is refused on its way may have been done.
      if (failure.code === "upstream_rate_limited") throw failure;
      return { status: "unknown", failure };
    }
  }

  async function answered(
    request: Omit<WriteRequest, "path">,
    url: string,
    resource: RateResource,
    asking: Asking,
  ): Promise<WriteAnswer> {
    const answer = await exchange(request, url, resource, asking);
    if (answer.status === "unknown") return answer;
    const { status, headers, body } = answer;
    const contentType = headers.get("content-type") ?? "";
    if (status === 200 || status === 201) return { status: "done", bytes: body, contentType };
    if (status === 401) throw failureOf(status, request.what);
    if (status >= 400 && status < 500) {
      const permission = permissionOf(headers.get("x-accepted-github-permissions"));
      return { status: "refused", http: status, permission, ...problemOf(jsonOf(body)) };
    }
    const failure =
      status >= 500 ? failureOf(status, request.what) : unexpected(request.what, `HTTP ${status}`);
    return { status: "unknown", failure };
  }

  return {
    lacksUpdateRefs: { known: false },
    send: (request, asking) => answered(request, `${apiUrl}${request.path}`, "core", asking),
    graphql: (request, asking) =>
      answered({ ...request, method: "POST" }, graphqlUrl(apiUrl), "graphql", asking),
  };
}
