/**
 * One request on its way to the API, reads and writes alike: reserved from its budget, sent once, settled.
 * Owns the headers that every request carries. Refuses to send what would go past a limit, and repeats nothing.
 */
import { GitpinError } from "../errors.ts";
import type { Asking } from "./asking.ts";
import type { Budgets } from "./budget/budget.ts";
import { LOST, type RateResource, readTold } from "./budget/limits.ts";
import type { Credential, Credentials } from "./credentials/credentials.ts";
import { unexpected } from "./failure.ts";
import { jsonOf, problemOf } from "./problem.ts";
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

export interface Sending {
  /** For error texts: "a blob", "the commit". */
  what: string;
  resource?: RateResource;
  /** GitHub bounds such requests by the minute and the hour. */
  creates?: boolean;
  /** Body bytes read at most, and the error when there are more. */
  maxBytes?: number;
  excess?: () => GitpinError;
  /** In place of the client's own bound on time, in milliseconds. */
  timeoutMs?: number;
  /** Takes the body of a 200 piece by piece, from the start for each try; the answer's `body` is then empty. */
  consume?: Consume | undefined;
}

/** Throws a `Refusal` for a limit, before the request or after it. */
export type Send = (
  sending: Sending,
  asking: Asking,
  credential: Credential,
  url: string,
  init: RequestInit,
) => Promise<Received>;

export const JSON_TYPE = "application/vnd.github+json";
export const API_VERSION = "2022-11-28";
/** A recursive tree is the largest JSON there is: 100,000 entries of about 300 bytes. */
const JSON_BYTES_AT_MOST = 48 * 1024 * 1024;

export const headersOf = (
  userAgent: string,
  { traceparent }: Asking,
  { token }: Credential,
  accept = JSON_TYPE,
): Record<string, string> => ({
  accept,
  ...(token === null ? {} : { authorization: `token ${token}` }),
  "user-agent": userAgent,
  "x-github-api-version": API_VERSION,
  ...(traceparent === undefined ? {} : { traceparent }),
});

export function createSend({ budgets, fetch, timeoutMs }: ClientOptions): Send {
  return async (sending, { ledger, background, priority }, { token, holder }, url, init) => {
    const { what, maxBytes = JSON_BYTES_AT_MOST, consume, resource = "core", creates = false } = sending;
    const excess = sending.excess ?? (() => unexpected(what, "it is larger than any such answer"));
    const budget = budgets.of(holder);
    const keepAlive = (work: Promise<unknown>): void => background.keepAlive(work);
    const permit = await budget.reserve(resource, priority, creates).catch((limit: unknown) => {
      throw limit instanceof GitpinError ? new Refusal(limit) : limit;
    });
    const exchange = {
      fetch,
      ledger,
      timeoutMs: sending.timeoutMs ?? timeoutMs,
      maxBytes,
      excess,
      what,
      consume,
    };
    const received = await exchangeOnce(exchange, url, init).catch((failure: unknown) => {
      budget.settle(permit, LOST, keepAlive);
      throw failure;
    });
    const { headers, body } = received;
    const message = (): string => {
      const problem = problemOf(jsonOf(body));
      return [problem.message, ...problem.details].join("\n");
    };
    // GraphQL tells of its limit in an answer of 200.
    const limited = resource === "graphql" && problemOf(jsonOf(body)).types.includes("RATE_LIMITED");
    const told = readTold(limited ? 403 : received.status, headers, message, token !== null);
    const limit = budget.settle(permit, told, keepAlive);
    if (limit !== null) throw new Refusal(limit);
    return received;
  };
}
