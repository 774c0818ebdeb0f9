/**
 * GraphQL's `updateRefs` for one branch: it moves only if it stands where the caller says, in one step of the host's.
 * Follows docs.github.com/graphql (RefUpdate: `beforeOid`, `afterOid`, `force`). GraphQL answers 200 whatever happened; how it words that
 * the branch stood elsewhere is not documented, so it is not matched: whoever asked reads the branch.
 */
import * as z from "zod";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { GitpinError } from "../../errors.ts";
import { knownReason, reasonOf, type Step } from "./refusal.ts";
import { sent, type WritableRepository } from "./writable-repository.ts";
import type { WriteRefused } from "./write-client.ts";

/** How one attempt to move a branch ended. */
export type Attempt =
  | { outcome: "moved" }
  /** Nothing was done; `failure`: why, where that is known. */
  | { outcome: "refused"; failure: GitpinError | null }
  | { outcome: "unknown" };

const MUTATION = "mutation ($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }";

const graphqlError = z.object({
  message: z.string().default(""),
  type: z.string().optional(),
  extensions: z.object({ code: z.string().optional(), fieldName: z.string().optional() }).nullish(),
});

const mutationAnswer = z.object({
  data: z.object({ updateRefs: z.looseObject({}).nullish() }).nullish(),
  errors: z.array(graphqlError).optional(),
});

type GraphqlError = z.infer<typeof graphqlError>;

/** The mutation itself is unknown to the host, whatever its own words for that. */
const isUnsupported = ({ message, extensions }: GraphqlError): boolean =>
  (extensions?.code === "undefinedField" && extensions.fieldName === "updateRefs") ||
  /^Field 'updateRefs' doesn't exist on type |^UpdateRefsInput isn't a defined /.test(message);

/** A fault of the host's in the middle of its work: nobody knows how far it came. */
const isFault = ({ message, type }: GraphqlError): boolean =>
  /something went wrong|\btimed out\b|internal (?:server )?error/i.test(message) ||
  ["INTERNAL", "SERVICE_UNAVAILABLE"].includes(type ?? "");

export async function swapRef(
  repository: WritableRepository,
  branch: string,
  from: ObjectId,
  to: ObjectId,
): Promise<Attempt | { outcome: "unsupported" }> {
  const what = "the move of a branch";
  const step: Step = { what, branch: { name: branch, step: "move" } };
  const refUpdates = [{ name: `refs/heads/${branch}`, beforeOid: from, afterOid: to, force: false }];
  const input = { repositoryId: await repository.nodeId(), refUpdates };
  const body = { query: MUTATION, variables: { input } };
  const answer = await sent(repository.graphql({ body, what, access: "write" }), mutationAnswer, what);
  if (answer.status === "unknown") return { outcome: "unknown" };
  if (answer.status === "refused") {
    // A host without GraphQL at all.
    if (answer.http === 404) return { outcome: "unsupported" };
    return { outcome: "refused", failure: knownReason(repository, answer, step) };
  }
  const { data, errors = [] } = answer.data;
  if (errors.length === 0) return { outcome: data?.updateRefs ? "moved" : "unknown" };
  if (errors.some(isUnsupported)) return { outcome: "unsupported" };
  if (errors.some(isFault)) return { outcome: "unknown" };
  const notFound = errors.some(({ type }) => type === "NOT_FOUND");
  const refused: WriteRefused = {
    status: "refused",
    http: notFound ? 404 : 200,
    permission: null,
    message: "",
    codes: [],
    types: errors.flatMap(({ type }) => type ?? []),
    details: errors.map(({ message }) => message),
  };
  const failure = notFound
    ? await reasonOf(repository, refused, step)
    : knownReason(repository, refused, step);
  return { outcome: "refused", failure };
}
