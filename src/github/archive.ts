/**
 * The tarball of a commit as a stream of bytes, as the host sends it: one request to the API, which tells where it lies, and
 * one for the bytes. Owns: no credential leaves the API (the address of a private repository carries a short-lived token of
 * its own, and is never repeated), the bound on silence, the bound on size, and the end when the caller leaves.
 */
import type { ByteSource } from "../cache/archive/byte-source.ts";
import { archiveTooLarge } from "../core/archive/corrupt.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { callerLeft, GitpinError } from "../errors.ts";
import { limitOf, limitReached, readTold } from "./budget/limits.ts";
import { downloadTarget } from "./download-target.ts";
import { corrupt, failureOf, timedOut, unavailable, unexpected } from "./failure.ts";
import type { Repository } from "./repository.ts";

export interface ArchiveOptions {
  apiUrl: string;
  fetch: typeof fetch;
  userAgent: string;
  /** Longest silence of the host, in milliseconds. */
  timeoutMs: number;
  /** Most bytes, compressed. */
  maxBytes: number;
  /** Stops the download. */
  signal?: AbortSignal | undefined;
}

const WHAT = "the archive of a commit";
const HOPS_AT_MOST = 2;
const LEAST = 16 * 1024;
const MOST = 64 * 1024;

/** The commit must be known to be there. Throws upstream errors, and `archive_too_large` while it is read. */
export async function openArchive(
  repository: Repository,
  sha: ObjectId,
  options: ArchiveOptions,
): Promise<ByteSource> {
  try {
    return await openOnce(repository, sha, options);
  } catch (error) {
    // As for every GET: once more when the host failed, with an address of its own.
    const failed = error instanceof GitpinError && error.code === "upstream_unavailable";
    if (!failed || options.signal?.aborted) throw error;
    return await openOnce(repository, sha, options);
  }
}

async function openOnce(repository: Repository, sha: ObjectId, options: ArchiveOptions): Promise<ByteSource> {
  const path = `/tarball/${sha}`;
  const address = await repository.downloadAddress({ path, what: WHAT });
  if (address === null) {
    await repository.confirm();
    throw unexpected(WHAT, "there is none for a commit that is there");
  }
  const silence = new Silence(options);
  try {
    const response = await follow(repository, options, address, silence.signal);
    return boundedSource(response, silence, options.maxBytes);
  } catch (error) {
    silence.end();
    throw silence.explain(error);
  }
}

async function follow(
  repository: Repository,
  options: ArchiveOptions,
  address: string,
  signal: AbortSignal,
): Promise<Response> {
  const { apiUrl, fetch, userAgent } = options;
  let from = apiUrl;
  let location: string | null = address;
  for (let hop = 0; hop <= HOPS_AT_MOST; hop++) {
    const target = downloadTarget(apiUrl, from, location, WHAT);
    repository.tiers.ledger.upstreamRequests += 1;
    const headers = { "user-agent": userAgent, accept: "application/x-gzip, application/octet-stream" };
    const response = await fetch(target.href, { headers, redirect: "manual", signal });
    if (response.status === 200) return response;
    await response.body?.cancel();
    if (![301, 302, 303, 307, 308].includes(response.status)) throw refusal(repository, response);
    from = target.href;
    location = response.headers.get("location");
  }
  throw unexpected(WHAT, "it redirects without end");
}

function refusal(repository: Repository, response: Response): GitpinError {
  const { status, headers } = response;
  const now = repository.clock.now();
  const limit = limitOf(
    readTold(status, headers, () => "", false),
    now,
  );
  if (limit !== null) return limitReached(limit, now);
  // The address is good for minutes only: an archive that is not there after all is worth another try.
  return status === 404 ? unavailable(WHAT, "HTTP 404") : failureOf(status, WHAT);
}

/** Ends the exchange when the host is silent for too long, or when the caller has gone. */
class Silence {
  readonly #controller = new AbortController();
  readonly #options: ArchiveOptions;
  readonly #leave = (): void => this.#controller.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #late = false;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    if (options.signal?.aborted) this.#leave();
    options.signal?.addEventListener("abort", this.#leave);
    this.listen();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The host has been heard, and is listened to again. */
  listen(): void {
    this.pause();
    this.#timer = setTimeout(() => {
      this.#late = true;
      this.#controller.abort();
    }, this.#options.timeoutMs);
  }

  /** Nobody listens: the silence is ours. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.pause();
    this.#options.signal?.removeEventListener("abort", this.#leave);
  }

  explain(error: unknown): GitpinError {
    if (this.#late) return timedOut(WHAT, this.#options.timeoutMs);
    if (this.#options.signal?.aborted) return callerLeft();
    return error instanceof GitpinError ? error : unavailable(WHAT, "the connection failed");
  }
}

interface AtLeast {
  readAtLeast(least: number, into: Uint8Array): Promise<{ done: boolean; value?: Uint8Array }>;
}

/** Reads pieces of a useful size: an ordinary reader gives what arrives, often a few kilobytes at a time. */
function readerOf(body: ReadableStream<Uint8Array>): {
  read(): Promise<Uint8Array | null>;
  cancel(): Promise<void>;
} {
  if (
    typeof ReadableStreamBYOBReader !== "undefined" &&
    "readAtLeast" in ReadableStreamBYOBReader.prototype
  ) {
    const reader = body.getReader({ mode: "byob" });
    let ended = false;
    return {
      async read() {
        if (ended) return null;
        const { done, value } = await (reader as unknown as AtLeast).readAtLeast(LEAST, new Uint8Array(MOST));
        ended = done;
        return value === undefined || value.byteLength === 0 ? null : value;
      },
      cancel: () => reader.cancel(),
    };
  }
  const reader = body.getReader();
  return {
    async read() {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return null;
        if (value.byteLength > 0) return value;
      }
    },
    cancel: () => reader.cancel(),
  };
}

function boundedSource(response: Response, silence: Silence, maxBytes: number): ByteSource {
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (body === null) throw corrupt(WHAT, "it has no body");
  const reader = readerOf(body);
  const announced = Number(response.headers.get("content-length") ?? Number.NaN);
  let received = 0;
  const cancel = async (): Promise<void> => {
    silence.end();
    await reader.cancel().catch(() => undefined);
  };
  return {
    cancel,
    async next() {
      silence.listen();
      try {
        const bytes = silence.signal.aborted ? await gone() : await reader.read();
        silence.pause();
        if (bytes === null) {
          silence.end();
          if (Number.isFinite(announced) && received < announced) throw corrupt(WHAT, "it was cut");
          return null;
        }
        received += bytes.byteLength;
        if (received > maxBytes) throw archiveTooLarge("compressed bytes", maxBytes);
        return bytes;
      } catch (error) {
        const explained = silence.explain(error);
        await cancel();
        // A connection that breaks in the middle and a body that ends too early are one thing: it was cut.
        throw explained.code === "upstream_unavailable" ? corrupt(WHAT, "the connection broke") : explained;
      }
    },
  };
}

const gone = (): Promise<never> => Promise.reject(callerLeft());
