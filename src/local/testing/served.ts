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
  /** Any path. */
  ask(path: string, sent?: Sent): Promise<Reply>;
}

export async function serve(path: string, options: Partial<LocalHostOptions> = {}): Promise<Served> {
  const entry = { owner: "octo", name: "demo", path, id: ID, ...options.repositories?.[0] };
  const host = await startLocalHost({ ...options, repositories: [entry] });
  const ask = (target: string, sent?: Sent): Promise<Reply> => send(host.url, target, sent);
  const get = (rest: string, headers: Record<string, string> = {}): Promise<Reply> =>
    ask(`/repos/octo/demo${rest}`, { headers });
  return {
    host,
    ask,
    get,
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
