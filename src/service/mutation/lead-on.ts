/**
 * What to do after a mutation, as a call that is ready to be made: prove what was written, commit what was planned, look at what
 * the caller does not know yet. Null where the next step is a call that only the caller can word: `next_step` says how, and all it
 * needs is in the answer. Never leads on to overwrite what somebody else wrote: only units, and patches whose anchors still stand,
 * are offered with a fresh base.
 */

import { isUnitOperation } from "../../core/entity/edit/operation.ts";
import type { RefusalCode } from "../../core/entity/edit/outcome.ts";
import { placeOfAnchor } from "../../core/entity/edit/patch.ts";
import type { NextCall } from "../../schema/common.ts";
import type { MutateInput, OperationInput } from "../../schema/mutation.ts";
import type { MutationResult } from "../../schema/mutation-result.ts";
import { nextTool, spell } from "../next.ts";
import { isHead } from "./target.ts";
import type { MutationWork } from "./work.ts";

/** Longest call, in UTF-16 units of its JSON, that an answer repeats. */
const REPEATED_UNITS = 16_384;

export function leadOn(work: MutationWork, result: MutationResult): NextCall {
  const { call, input } = work;
  switch (result.status) {
    case "committed":
      return result.next === null ? null : { ...result.next, tool: spell(result.next.tool, call.spelling) };
    case "planned":
      return repeated(work, { ...input, dry_run: undefined });
    case "conflict":
      return afterConflict(work, result);
    case "refused":
      return afterRefusal(work, result);
  }
}

/**
 * The branch that was planned on, as a reading tool takes it; nothing where it is HEAD. A new branch is not there yet. One that may be
 * written can be read.
 */
function refOf({ entry, defaultBranch, target }: MutationWork): { ref?: string } {
  const branch = target.create ? target.baseBranch : target.branch;
  return isHead(entry, defaultBranch, branch) ? {} : { ref: branch };
}

function repeated({ call }: MutationWork, input: MutateInput): NextCall {
  const next = nextTool("kin_mutate", call.spelling, input);
  return JSON.stringify(next.arguments).length > REPEATED_UNITS ? null : next;
}

function afterConflict(work: MutationWork, result: MutationResult): NextCall {
  const { input, target } = work;
  const { operation } = result;
  if (operation == null) return repeated(work, input);
  // Fresh bases are of the branch that was planned on: among those of another branch they would not do.
  if (target.branch !== target.baseBranch && !target.create) return lookAgain(work, operation);
  const again = withFreshBase(input.operations, operation, result);
  if (again !== null) return repeated(work, { ...input, operations: again });
  return result.current_source === undefined ? lookAround(work, operation) : null;
}

/** After these the caller's picture of the entity is not the one that is there. All others are the call's own to mend. */
const MISREAD: readonly RefusalCode[] = ["anchor_missing", "anchor_ambiguous", "body_truncated"];

function afterRefusal(work: MutationWork, { code, operation }: MutationResult): NextCall {
  if (operation == null) return null;
  if (MISREAD.some((misread) => misread === code)) return lookAgain(work, operation);
  const asked = work.asked.operations[operation];
  if (code !== "name_taken" || asked === undefined || !("creation" in asked)) return null;
  const query = asked.creation.name;
  return nextTool("kin_find_entities", work.call.spelling, {
    repository: work.entry.name,
    query,
    ...refOf(work),
  });
}

/** The operations with a present base in place of the outdated one; null where they must be thought over first. */
function withFreshBase(
  operations: readonly OperationInput[],
  index: number,
  { code, current_source: now, current_repository_base: base }: MutationResult,
): OperationInput[] | null {
  if (code === "repository_base_conflict") return operations.map((one) => withRepositoryBase(one, base));
  const patch = operations[index]?.payload.EntitySourcePatch;
  if (patch === undefined || now === undefined) return null;
  const stands = ({ old_text }: { old_text: string }) =>
    typeof placeOfAnchor(now.body, old_text) === "number";
  if (!patch.edits.every(stands)) return null;
  const payload = { EntitySourcePatch: { ...patch, source_base: now.source_base } };
  return operations.map((one, at) => (at === index ? { ...one, payload } : one));
}

function withRepositoryBase(
  operation: OperationInput,
  base: MutationResult["current_repository_base"],
): OperationInput {
  const { EntityCreate: create, UnitImports: imports } = operation.payload;
  if (base === undefined) return operation;
  if (create?.repository_base !== undefined) {
    return { ...operation, payload: { EntityCreate: { ...create, repository_base: base } } };
  }
  if (imports === undefined) return operation;
  return { ...operation, payload: { UnitImports: { ...imports, repository_base: base } } };
}

/** The entities of a file whose entity is gone. */
function lookAround(work: MutationWork, index: number): NextCall {
  const operation = work.asked.operations[index];
  if (operation === undefined || isUnitOperation(operation)) return null;
  const { path } = operation.base;
  return nextTool("kin_find_entities", work.call.spelling, {
    repository: work.entry.name,
    path,
    ...refOf(work),
  });
}

/** The entity an operation speaks of, as it stands now; for a unit where the branch stands. */
function lookAgain(work: MutationWork, index: number): NextCall {
  const { call, entry, asked } = work;
  const { ref } = refOf(work);
  const operation = asked.operations[index];
  if (operation === undefined) return null;
  const repository = entry.name;
  if (isUnitOperation(operation)) return nextTool("kin_status", call.spelling, { repository, branch: ref });
  const { entity_id, path } = operation.base;
  return nextTool("get_entity_source", call.spelling, { repository, entity_id, path, ref });
}
