/**
 * Plans one call: every operation of it or none. Order: read the operations, check their bases, then per file patch,
 * update, remove and create beside an entity (all against the file as it stands), then creations in units, then imports.
 * Every touched file is parsed again after each step: nothing but what was asked for may change, no new syntax error.
 * Reads through `HeadView` only; writes nothing. The result does not depend on time or on earlier calls.
 */
import { GitpinError } from "../../../errors.ts";
import type { OperationInput } from "../../../schema/mutation.ts";
import { objectId } from "../../git/hash.ts";
import type { LineRange } from "../../git/lines.ts";
import type { ObjectId } from "../../git/object-id.ts";
import { entitySource } from "../bases.ts";
import { ANSWER_BYTES, roomOfPlan } from "../room.ts";
import type { SyntaxReader } from "../syntax.ts";
import { fileDiff } from "./diff.ts";
import { type Draft, declarationIn } from "./draft.ts";
import { editEntities } from "./edit-entities.ts";
import { editUnits } from "./edit-units.ts";
import type { HeadView } from "./head-view.ts";
import { type EntityOperation, isUnitOperation, type Operation, readOperation } from "./operation.ts";
import {
  type MutationPlan,
  type Outcome,
  type PlannedEntity,
  type PlannedFile,
  refused,
  Stopped,
} from "./outcome.ts";
import { callTooLarge, Workspace } from "./workspace.ts";

export interface PlanRequest {
  /** The host's numeric id, for entity ids. */
  repositoryId: number;
  /** Registry name, as bases carry it. */
  repository: string;
  /** Branch whose head is planned on; bases in a conflict are of it. */
  branch: string;
  /** Branch that the bases of the call are of, where that is another one; else `branch`. */
  baseBranch?: string;
  /** Commit that is planned on, and its tree; both null for a repository without commits. */
  head: ObjectId | null;
  tree: ObjectId | null;
  operations: readonly OperationInput[];
}

/** Never throws for what a caller did: that is a conflict or a refusal. Failures of `view` pass through. */
export async function planMutation(
  request: PlanRequest,
  view: HeadView,
  reader: SyntaxReader,
): Promise<Outcome> {
  try {
    return { status: "planned", plan: await plan(request, view, reader) };
  } catch (thrown) {
    if (thrown instanceof Stopped) return thrown.outcome;
    if (thrown instanceof GitpinError && thrown.code === "source_refused") {
      return refused("source_refused", null, thrown.message, thrown.nextStep).outcome;
    }
    throw thrown;
  }
}

async function plan(request: PlanRequest, view: HeadView, reader: SyntaxReader): Promise<MutationPlan> {
  const operations = request.operations.map((input, index) => readOperation(input, index));
  if (request.head === null) assertPossibleInEmpty(operations);
  const workspace = new Workspace(request, view, reader);
  const units = operations.filter(isUnitOperation);
  const entities = operations.filter((one): one is EntityOperation => !isUnitOperation(one));
  await workspace.checkUnits(units);
  await editEntities(workspace, entities);
  await editUnits(workspace, units);
  const changed = workspace.changed();
  if (changed.length === 0) {
    const onlyImports = operations.every((one) => one.form === "imports");
    throw refused(
      onlyImports ? "unit_imports_unchanged" : "no_change",
      null,
      onlyImports ? "Every requested import is already as asked." : "The call changes nothing.",
      "Nothing is to be done.",
    );
  }
  if (request.head === null && changed.length > 1) throw tooManyFiles(changed.length);
  const diffs = changed.map(fileDiff);
  const made: MutationPlan = {
    files: changed.map((draft, index) => plannedFile(draft, diffs[index]?.added ?? [])),
    entities: plannedEntities(changed),
    rebasedFrom: rebasedFrom(operations, request.head),
    diff: diffs.map(({ text }) => text).join(""),
    earlierFaults: changed.flatMap((draft) => draft.earlierFaults),
  };
  if (roomOfPlan(made) > ANSWER_BYTES) throw callTooLarge(null, "changes more text");
  return made;
}

/** The host makes the first commit of a repository one file at a time. */
function assertPossibleInEmpty(operations: readonly Operation[]): void {
  const other = operations.find((operation) => !isUnitOperation(operation));
  if (other === undefined) return;
  throw refused(
    "repository_empty",
    other.index,
    "The repository has no commit yet, so it has no entities.",
    "Create the first file with EntityCreate in a Go unit (repository_base and unit); commit the first file of another language with git.",
  );
}

const tooManyFiles = (count: number) =>
  refused(
    "repository_empty",
    null,
    `The repository has no commit yet: its first commit can hold one file, this call makes ${count}.`,
    "Send the operations of one unit first, and the others with the repository_base of its receipt.",
  );

function plannedFile(draft: Draft, added: LineRange[]): PlannedFile {
  const { bytes } = draft.unit.source;
  return {
    path: draft.path,
    mode: draft.mode,
    bytes,
    blob: objectId("blob", bytes),
    previousBlob: draft.original === null ? null : objectId("blob", draft.original.source.bytes),
    added,
  };
}

function plannedEntities(drafts: readonly Draft[]): PlannedEntity[] {
  const planned = drafts.flatMap((draft): PlannedEntity[] => [
    ...draft.removed.map(({ operation, located }) => ({
      operation,
      effect: "removed" as const,
      entity: located.entity,
      source: null,
    })),
    ...draft.tracked.flatMap(({ operation, effect, region, kind, qualifiedName }) => {
      const located = declarationIn(draft.unit, region, kind, qualifiedName);
      if (located === undefined) throw lost(draft, operation, `${kind} ${qualifiedName}`);
      return [{ operation, effect, entity: located.entity, source: entitySource(draft.unit, located) }];
    }),
  ]);
  return planned.sort((a, b) => a.operation - b.operation);
}

const lost = ({ path }: Draft, operation: number, name: string) =>
  refused(
    "footprint_exceeded",
    operation,
    `${name} would not stand in ${path} once all operations of the call are made.`,
    "Send this operation in a call of its own, before or after the others.",
  );

function rebasedFrom(operations: readonly Operation[], head: ObjectId | null): (ObjectId | null)[] {
  return [...new Set(operations.map(({ base }) => base.head))].filter((base) => base !== head);
}
