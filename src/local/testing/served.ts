// For tests: one repository under `octo/demo` on a host of its own, with shorthands for asking it.
import { type LocalHost, type LocalHostOptions, startLocalHost } from "../host.ts";
import { parsed, type Reply, type Sent, send } from "./client.ts";

export const ID = 4711;

export interface Served {
  host: LocalHost;
  /** Asks for a path below `/repos/octo/demo`. */
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** The same, as JSON; anything but 200 is an error. */
  json<T>(path: string, headers?: Record<string, string>): Promise<T>;
  /** Sends a body to a path below `/repos/octo/demo`, with a token (`t`). */
  put(method: string, path: string, body?: unknown, token?: string): Promise<Reply>;
  /** The same, as JSON; anything but 200 and 201 is an error. */
  made<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Asks GraphQL, with a token (`t`). */
  graphql<T>(query: string, variables?: Record<string, unknown>, token?: string): Promise<T>;
  /** Any path. */
  ask(path: string, sent?: Sent): Promise<Reply>;
}

export async function serve(path: string, options: Partial<LocalHostOptions> = {}): Promise<Served> {
  const entry = { owner: "octo", name: "demo", path, id: ID, ...options.repositories?.[0] };
  const host = await startLocalHost({ ...options, repositories: [entry] });
  const ask = (target: string, sent?: Sent): Promise<Reply> => send(host.url, target, sent);
  const get = (rest: string, headers: Record<string, string> = {}): Promise<Reply> =>
    ask(`/repos/octo/demo${rest}`, { headers });
  const put = (method: string, rest: string, body?: unknown, token = "t"): Promise<Reply> =>
    ask(`/repos/octo/demo${rest}`, { method, headers: { authorization: `Bearer ${token}` }, body });
  return {
    host,
    ask,
    get,
    put,
    async made<T>(method: string, rest: string, body?: unknown): Promise<T> {
      const reply = await put(method, rest, body);
      if (reply.status !== 200 && reply.status !== 201) {
        throw new Error(`${method} ${rest}: ${reply.status} ${reply.body}`);
      }
      return parsed<T>(reply);
    },
    async graphql<T>(query: string, variables = {}, token = "t"): Promise<T> {
      const headers = { authorization: `Bearer ${token}` };
      const reply = await ask("/graphql", { method: "POST", headers, body: { query, variables } });
      if (reply.status !== 200) throw new Error(`graphql: ${reply.status} ${reply.body}`);
      return parsed<T>(reply);
    },
    async json<T>(rest: string, headers?: Record<string, string>): Promise<T> {
      const reply = await get(rest, headers);
      if (reply.status !== 200) throw new Error(`${rest}: ${reply.status} ${reply.body}`);
      return parsed<T>(reply);
    },
  };
}

/** An error's status and message. */
export function errorOf(reply: Reply): [number, string] {
  return [reply.status, parsed<{ message: string }>(reply).message];
}
