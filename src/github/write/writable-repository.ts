/**
 * One registered repository as a call that writes reaches it: what reads have, and requests that change something below its numeric
 * address. The only way the steps of a commit reach the host, so that none can change another repository.
 */
import type * as z from "zod";
import type { GitpinError } from "../../errors.ts";
import { asGitpinError } from "../../errors.ts";
import { readJson } from "../answers.ts";
import type { DefaultBranch } from "../heads.ts";
import type { Repository } from "../repository.ts";
import type { WriteAnswer, WriteClient, WriteRefused, WriteRequest } from "./write-client.ts";

export interface WritableRepository extends Repository {
  /** `path` below the repository, e.g. `/git/trees`. */
  send(request: WriteRequest): Promise<WriteAnswer>;
  /** GraphQL knows no numeric address: the mutation names the repository by `nodeId`. */
  graphql(request: Omit<WriteRequest, "method" | "path">): Promise<WriteAnswer>;
  /** The id that GraphQL knows the repository by; asked for where nothing is known of the repository. */
  nodeId(): Promise<string>;
  /** `owner/name` and default branch as GitHub told last; asked for where nothing is known. */
  identity(): Promise<{ fullName: string; defaultBranch: string }>;
  /** The default branch, as far as it is known without asking. */
  defaultBranch(): DefaultBranch;
  lacksUpdateRefs: WriteClient["lacksUpdateRefs"];
}

export type Sent<T> =
  | { status: "done"; data: T }
  | WriteRefused
  | { status: "unknown"; failure: GitpinError };

export function writableRepository(
  client: WriteClient,
  repository: Repository,
  more: Pick<WritableRepository, "nodeId" | "identity" | "defaultBranch">,
): WritableRepository {
  const { asking, id } = repository;
  return {
    ...repository,
    ...more,
    lacksUpdateRefs: client.lacksUpdateRefs,
    send: (request) => client.send({ ...request, path: `/repositories/${id}${request.path}` }, asking),
    graphql: (request) => client.graphql(request, asking),
  };
}

/** The answer's JSON by its form. One that cannot be read tells nothing: what was asked for may have been done. */
export async function sent<T extends z.ZodType>(
  answer: Promise<WriteAnswer>,
  form: T,
  what: string,
): Promise<Sent<z.output<T>>> {
  const given = await answer;
  if (given.status !== "done") return given;
  try {
    return { status: "done", data: readJson(given, form, what) };
  } catch (thrown) {
    return { status: "unknown", failure: asGitpinError(thrown) };
  }
}
