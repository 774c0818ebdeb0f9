/**
 * One request to the hosted service. Owns its time limit, the credential, and what is said when no answer comes.
 * Follows no redirect: the token would go where nobody said it may.
 */
import { GitpinError } from "../errors.ts";
import type { ServiceAddress } from "./service-address.ts";

/** A tool may itself wait for the hosted git, so this is longer than the service's own limit. */
const TIMEOUT_MS = 60_000;

export interface ServiceAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
}

export interface ServiceRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; none when left out. */
  body?: unknown;
}

/** `path` starts with a slash. Throws `upstream_timeout` and `upstream_unavailable` with `data.service`. */
export async function askService(
  { base, token }: ServiceAddress,
  path: string,
  { method = "GET", headers = {}, body }: ServiceRequest = {},
): Promise<ServiceAnswer> {
  try {
    const response = await fetch(base + path, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status >= 300 && response.status < 400) throw redirected(base, response);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  } catch (thrown) {
    if (thrown instanceof GitpinError) throw thrown;
    throw noAnswer(base, thrown);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function redirected(base: string, response: Response): GitpinError {
  const target = URL.parse(response.headers.get("location") ?? "", base)?.origin ?? "an address of no form";
  return new GitpinError(
    "upstream_unexpected",
    `${base} answered with a redirect to ${target}, which is not followed.`,
    "Set GITPIN_URL to the address that the service really has.",
    { service: base },
  );
}

function noAnswer(base: string, cause: unknown): GitpinError {
  if (cause instanceof Error && cause.name === "TimeoutError") {
    return new GitpinError(
      "upstream_timeout",
      `${base} did not answer within ${TIMEOUT_MS / 1000} seconds.`,
      "Try again; `gitpin doctor` shows what is slow.",
      { service: base },
      { cause },
    );
  }
  return new GitpinError(
    "upstream_unavailable",
    `${base} did not answer${reasonOf(cause)}.`,
    "Check GITPIN_URL and that the service runs (locally: npm start).",
    { service: base },
    { cause },
  );
}

/** What the system says of a failed connection (`ECONNREFUSED`, `ENOTFOUND`, a certificate's fault). */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? ` (${code})` : "";
}
