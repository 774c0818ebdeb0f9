// For tests: a client that sends exactly the path it is given (`fetch` would tidy it up) and follows nothing.
import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string goes as it is. */
  body?: unknown;
}

/** Sends `User-Agent: test` unless another (or "" for none) is given. Rejects when the answer breaks off. */
export function send(
  base: string,
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<Reply> {
  const { hostname, port } = new URL(base);
  const { "user-agent": agent = "test", ...others } = headers;
  const all = { ...others, ...(agent === "" ? {} : { "user-agent": agent }) };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers: all, agent: false }, (answer) => {
      buffer(answer).then(
        (received) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: received }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
  });
}

/** The body as JSON; the caller says what it expects of it. */
export function parsed<T>(reply: Reply): T {
  return JSON.parse(reply.body.toString("utf8")) as T;
}

/** The body of an error. */
export interface GithubError {
  message: string;
  documentation_url: string;
  status: string;
  errors?: { resource: string; field: string; code: string }[];
  url?: string;
}
