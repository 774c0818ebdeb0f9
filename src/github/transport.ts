/**
 * One HTTP exchange with the host, body included: time bound, size bound, counted in the ledger.
 * Reads the whole body before it returns, so no stream ever outlives the request that made it. Never follows redirects.
 */
import type { GitpinError } from "../errors.ts";
import type { Ledger } from "../ports/ledger.ts";
import { timedOut } from "./failure.ts";

export interface Exchange {
  fetch: typeof fetch;
  ledger: Ledger;
  timeoutMs: number;
  /** Body bytes read at most; one more and `excess` is thrown. */
  maxBytes: number;
  excess: () => GitpinError;
  /** For error texts: "a blob". */
  what: string;
  /** Takes the pieces of a 200's body instead of keeping them. */
  consume?: Consume | undefined;
}

/** Called at the start of a body; gives what takes its pieces, or gives the error that ends it. Copy what is needed. */
export type Consume = () => (piece: Uint8Array) => GitpinError | null;

/** Bodies of an announced length from here on are read into one buffer, never held twice. */
const LARGE_BYTES = 1_048_576;

/**
 * An error that must not be repeated, on its way through octokit. Octokit hands on an error of this name as it is, and
 * its retry plugin leaves alone what carries an empty request.
 */
export class Refusal extends Error {
  override readonly name = "AbortError";
  readonly request = {};
  readonly failure: GitpinError;

  constructor(failure: GitpinError) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The part of a Response that octokit reads, with the body's bytes in place of a stream. */
export interface Received {
  status: number;
  url: string;
  headers: Headers;
  body: Uint8Array;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

async function readBody(response: Response, signal: AbortSignal, exchange: Exchange): Promise<Uint8Array> {
  const { maxBytes, excess } = exchange;
  const announced = Number(response.headers.get("content-length") ?? 0);
  const stream = response.body;
  if (stream === null) return new Uint8Array();
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  const stop = () => reader.cancel().catch(() => undefined);
  if (announced > maxBytes) {
    await stop();
    throw new Refusal(excess());
  }
  signal.addEventListener("abort", stop);
  const chunks: Uint8Array[] = [];
  const consumer = response.status === 200 ? exchange.consume?.() : undefined;
  const plain = response.headers.get("content-encoding") === null;
  const whole =
    consumer === undefined && plain && announced >= LARGE_BYTES ? new Uint8Array(announced) : null;
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const failure = consumer?.(value) ?? null;
    if (failure !== null) {
      await stop();
      throw new Refusal(failure);
    }
    if (whole !== null && length + value.byteLength <= whole.length) whole.set(value, length);
    else if (consumer === undefined) chunks.push(value);
    length += value.byteLength;
    if (length > maxBytes) {
      await stop();
      throw new Refusal(excess());
    }
  }
  signal.removeEventListener("abort", stop);
  if (consumer !== undefined) return new Uint8Array();
  if (whole !== null && length <= whole.length) return whole.subarray(0, length);
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** Throws a `Refusal` for what must not be repeated, and the network's own error for what may be. */
export async function exchangeOnce(exchange: Exchange, url: string, init: RequestInit): Promise<Received> {
  const { ledger, timeoutMs, what } = exchange;
  // Called free-standing: the runtime's fetch refuses a foreign `this`.
  const { fetch } = exchange;
  const signal = AbortSignal.timeout(timeoutMs);
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Refusal(timedOut(what, timeoutMs))));
  });
  ledger.upstreamRequests += 1;
  const answer = async (): Promise<Received> => {
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    const body = await readBody(response, signal, exchange);
    return {
      status: response.status,
      url: response.url,
      headers: response.headers,
      body,
      text: () => Promise.resolve(new TextDecoder().decode(body)),
      arrayBuffer: () => Promise.resolve(body.slice().buffer),
    };
  };
  try {
    return await Promise.race([answer(), expired]);
  } catch (error) {
    throw signal.aborted && !(error instanceof Refusal) ? new Refusal(timedOut(what, timeoutMs)) : error;
  }
}
