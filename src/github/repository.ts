/**
 * One registered repository as one call reaches it: requests below its numeric address, and the tiers its objects go through.
 * The only way the object families (`commits.ts`, `trees.ts`, ...) reach the host, so that none can ask for another repository.
 */
import type * as z from "zod";
import type { KeySpace } from "../cache/keys.ts";
import type { Tiers } from "../cache/tiered.ts";
import { GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { readJson } from "./answers.ts";
import type { Asking } from "./asking.ts";
import type { Client, HostAnswer, HostRequest } from "./client.ts";
import type { News } from "./news/news.ts";

export interface Repository {
  entry: RepositoryEntry;
  asking: Asking;
  /** GitHub's numeric id. */
  id: number;
  keys: KeySpace;
  /** Digest of the credential, for keys of what depends on who asks. */
  credential: string;
  tiers: Tiers;
  clock: Clock;
  /** `path` below the repository, e.g. `/git/blobs/{sha}`. */
  get(request: HostRequest): Promise<HostAnswer>;
  /** The same for a download, see `Client.downloadAddress`. */
  downloadAddress(request: HostRequest): Promise<string | null>;
  news: News;
  shared: Shared;
  /** Returns when the repository itself can be read; throws `repository_unavailable` or what keeps it from being known. */
  confirm(): Promise<void>;
}

/** What all isolates know together of what changes, as text by cache key. Best effort; never throws. */
export interface Shared {
  recall(key: string): Promise<string | null>;
  /** Returns at once. */
  remember(key: string, value: string): void;
}

/** A JSON answer of 200, read; every other answer as it is. */
export type JsonAnswer<T> =
  | { status: 200; data: T; etag: string | null }
  | Exclude<HostAnswer, { status: 200 }>;

/** Repeats once what was damaged on its way, then gives up with `upstream_corrupt`. */
export async function repeatIfDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitpinError) || error.code !== "upstream_corrupt") throw error;
    return work();
  }
}

interface Asked {
  get(request: HostRequest): Promise<HostAnswer>;
}

/** One request, its answer read by its form. */
export async function getJsonOnce<T extends z.ZodType>(
  from: Asked,
  request: HostRequest,
  form: T,
): Promise<JsonAnswer<z.output<T>>> {
  const answer = await from.get(request);
  if (answer.status !== 200) return answer;
  return { status: 200, data: readJson(answer, form, request.what), etag: answer.etag };
}

/** The same, asked for once more when the answer was damaged. */
export const getJson = <T extends z.ZodType>(
  from: Asked,
  request: HostRequest,
  form: T,
): Promise<JsonAnswer<z.output<T>>> => repeatIfDamaged(() => getJsonOnce(from, request, form));

/** Binds a client to one repository and one call. */
export function repositoryOf(client: Client, scope: Omit<Repository, "get" | "downloadAddress">): Repository {
  const below = (request: HostRequest): HostRequest => ({
    ...request,
    path: `/repositories/${scope.id}${request.path}`,
  });
  const { asking } = scope;
  return {
    ...scope,
    get: (request) => client.get(below(request), asking),
    downloadAddress: (request) => client.downloadAddress(below(request), asking),
  };
}
