// What a route gives back, and GitHub's error form.
// Owns: the shape of answers before headers common to all are added. Refuses: nothing; it only holds.
import type { Readable } from "node:stream";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | Readable | null;
}

const JSON_TYPE = "application/json; charset=utf-8";

export function json(value: unknown, headers: Record<string, string> = {}, status = 200): Answer {
  return {
    status,
    headers: { "content-type": JSON_TYPE, ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

export function bytes(type: string, body: Buffer | Readable, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers: { "content-type": type, ...headers }, body };
}

/** An error as GitHub words it; `documentation_url` defaults to the one of the route. */
export class ApiError extends Error {
  readonly status: number;
  readonly documentationUrl: string | undefined;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;
  constructor(
    status: number,
    message: string,
    more: {
      documentationUrl?: string;
      members?: Record<string, unknown>;
      headers?: Record<string, string>;
    } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.documentationUrl = more.documentationUrl;
    this.members = more.members ?? {};
    this.headers = more.headers ?? {};
  }
}

/** `{"message", "errors"?, "documentation_url", "status"}`: the status is a string. */
export function errorAnswer(error: ApiError, documentationUrl: string): Answer {
  const body = {
    message: error.message,
    ...error.members,
    documentation_url: error.documentationUrl ?? documentationUrl,
    status: String(error.status),
  };
  return json(body, error.headers, error.status);
}

export const notFound = (): ApiError => new ApiError(404, "Not Found");
