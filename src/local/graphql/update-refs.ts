// The mutation `updateRefs`: several refs at once, all or none, each only from where the caller says it stands
// (`beforeOid`): GitHub's compare-and-swap. 40 zeros mean: there is no such ref, before or after.
import { ApiError } from "../http/answer.ts";
import type { Exchange, RepositoryExchange } from "../http/exchange.ts";
import { beforeWriting } from "../http/permissions.ts";
import {
  assertRefName,
  changeRefs,
  type RefChange,
  type Refusal,
  workflowText,
} from "../routes/writing/ref-changes.ts";
import { FieldError, type ObjectType } from "./execute.ts";
import { type Input, inputList, inputObject, oid, optionalOid, optionalText, text, truth } from "./input.ts";
import { byNodeId } from "./repository.ts";

const ZERO = "0".repeat(40);

interface Payload {
  clientMutationId: string | null;
}

export const payload: ObjectType<Exchange> = {
  name: "UpdateRefsPayload",
  fields: { clientMutationId: { resolve: (source) => (source as Payload).clientMutationId } },
};

const nothing = (sha: string): string | null => (sha === ZERO ? null : sha);

async function changeOf(exchange: RepositoryExchange, input: Input): Promise<RefChange> {
  const name = text(input, "name");
  const to = nothing(oid(input, "afterOid"));
  const before = optionalOid(input, "beforeOid");
  const force = truth(input, "force");
  assertRefName(name);
  if (to !== null && (await exchange.repository.git.info(to)) === null) {
    throw new FieldError("UNPROCESSABLE", `Object ${to} does not exist`);
  }
  const now = (await exchange.repository.git.firstRef(name))?.sha ?? null;
  return { name, from: before === null ? now : nothing(before), to, force };
}

export function refusalError(exchange: RepositoryExchange, refusal: Refusal): FieldError {
  switch (refusal.kind) {
    case "not-fast-forward":
      return new FieldError("UNPROCESSABLE", "Update is not a fast forward");
    case "protected": {
      const text = "Repository rule violations found\n\nChanges must be made through a pull request.\n\n";
      return new FieldError("BRANCH_PROTECTION_RULE_VIOLATION", text);
    }
    case "workflow":
      return new FieldError("UNPROCESSABLE", workflowText(exchange, refusal.path));
    case "refused":
      return new FieldError("UNPROCESSABLE", `Reference update failed: ${refusal.words}`);
    case "raced":
      // GitHub's words for it are not on record: whoever needs to know reads the ref.
      return new FieldError("UNPROCESSABLE", "Reference update failed");
  }
}

export async function updateRefs(given: unknown, exchange: Exchange): Promise<Payload> {
  const input = inputObject(given, "input");
  const inRepository = await byNodeId(exchange, text(input, "repositoryId"));
  beforeWriting(exchange.host, exchange.caller, inRepository.repository, "contents");
  if (await inRepository.repository.git.isEmpty()) throw new ApiError(409, "Git Repository is empty.");
  const updates = inputList(input.refUpdates, "refUpdates");
  const changes: RefChange[] = [];
  for (const update of updates) changes.push(await changeOf(inRepository, update));
  if (new Set(changes.map(({ name }) => name)).size < changes.length) {
    throw new FieldError("UNPROCESSABLE", "A ref may be updated once only");
  }
  const refusal = await changeRefs(inRepository, changes);
  if (refusal !== null) throw refusalError(inRepository, refusal);
  return { clientMutationId: optionalText(input, "clientMutationId") };
}
