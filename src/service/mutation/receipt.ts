/**
 * What is said of a plan: the receipt of a commit, or the plan itself in a dry run. Owns the bounds of the answer and the fresh
 * bases it hands out. Everything is known before the branch moves, so that the receipt can be written down first. Pure.
 */
import { mintRepositoryBase, mintSourceBase } from "../../core/entity/bases.ts";
import type { MutationPlan, PlannedEntity } from "../../core/entity/edit/outcome.ts";
import { envelopeOf } from "../../core/evidence/envelope.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import {
  type ChangedEntity,
  type MutationResult,
  RESULT_LIMITS,
  type RemovedReferences,
} from "../../schema/mutation-result.ts";
import { proveWritten } from "./prove-written.ts";
import { referencesCommand } from "./references.ts";

export interface Planned {
  /** Registry name. */
  repository: string;
  /** Committed to. */
  branch: string;
  /** Planned on; both null in a repository without commits. */
  parent: ObjectId | null;
  parentTree: ObjectId | null;
  /** Root tree after the change. */
  tree: ObjectId;
  plan: MutationPlan;
  operations: number;
  /** Undefined: nothing is removed. */
  references: RemovedReferences | "not_checked" | undefined;
}

/** `next` is set by who answers. */
export function planReport(planned: Planned): MutationResult {
  const { repository, branch, parent, parentTree } = planned;
  return {
    ...shared(planned, null),
    status: "planned",
    applied: false,
    repository_base: mintRepositoryBase({ repository, branch, head: parent, tree: parentTree }),
  };
}

export interface Destination {
  /** The repository's page, or null. */
  webUrl: string | null;
  /** The branch is the one that HEAD stands for. */
  head: boolean;
}

/** The receipt of a commit that is about to land; its `next` is spelled with dots. */
export function receiptOf(planned: Planned, commit: ObjectId, { webUrl, head }: Destination): MutationResult {
  const { repository, branch, tree, plan, operations } = planned;
  const { next, omitted } = proveWritten(repository, plan, commit, head);
  return {
    ...shared(planned, commit),
    status: "committed",
    applied: true,
    commitSha: commit,
    url: webUrl === null ? null : `${webUrl}/commit/${commit}`,
    already_applied: false,
    ops_applied: operations,
    repository_base: mintRepositoryBase({ repository, branch, head: commit, tree }),
    ...(omitted === 0 ? {} : { next_omits: omitted }),
    next,
  };
}

function shared(planned: Planned, commit: ObjectId | null): Omit<MutationResult, "status" | "applied"> {
  const { repository, branch, parent, tree, plan, references } = planned;
  const created = plan.entities.filter(({ effect }) => effect === "created");
  const { entities, omitted } = listed(planned, commit);
  return {
    ...envelopeOf("mutation-result"),
    repository,
    branch,
    treeSha: tree,
    parent,
    modified_files: plan.files.map(({ path }) => path),
    entities,
    ...(omitted === 0 ? {} : { entities_omitted: omitted }),
    created_entities: created.map(({ entity }) => ({
      entity_id: entity.id,
      name: entity.qualifiedName,
      kind: entity.kind,
    })),
    rebased: plan.rebasedFrom.length > 0,
    ...(plan.rebasedFrom.length === 0 ? {} : { rebased_heads: { from: plan.rebasedFrom, onto: parent } }),
    ...diffOf(plan, commit),
    ...(plan.earlierFaults.length === 0
      ? {}
      : {
          earlier_faults: {
            total: plan.earlierFaults.length,
            places: plan.earlierFaults.slice(0, RESULT_LIMITS.faults),
          },
        }),
    ...(references === undefined ? {} : { references: withCommand(references, commit) }),
    next: null,
  };
}

function diffOf(
  { diff }: MutationPlan,
  commit: ObjectId | null,
): Pick<MutationResult, "diff" | "diff_omitted"> {
  if (diff.length <= RESULT_LIMITS.diffUnits) return { diff };
  const reason = `It is ${diff.length} characters long; ${RESULT_LIMITS.diffUnits} are shown.`;
  return {
    diff: null,
    diff_omitted: { reason, command: commit === null ? null : `git show --format= ${commit}` },
  };
}

const withCommand = (
  references: RemovedReferences | "not_checked",
  commit: ObjectId | null,
): RemovedReferences | "not_checked" =>
  references === "not_checked" || commit === null
    ? references
    : { ...references, command: referencesCommand(references.names, commit) };

/** All that were edited or created; of those removed as many as fit, declarations that were asked for first. */
function listed(
  { repository, branch, plan }: Planned,
  commit: ObjectId | null,
): { entities: ChangedEntity[]; omitted: number } {
  let left: number = RESULT_LIMITS.removedEntities;
  const named = new Set<number>();
  const shown = plan.entities.filter(({ effect, operation }) => {
    if (effect !== "removed") return true;
    const first = !named.has(operation);
    named.add(operation);
    if (!first) left -= 1;
    return first || left >= 0;
  });
  const place = commit === null ? null : { repository, branch, head: commit };
  const rowOf = ({ operation, effect, entity, source }: PlannedEntity): ChangedEntity => ({
    operation,
    effect,
    id: entity.id,
    name: entity.name,
    qualified_name: entity.qualifiedName,
    kind: entity.kind,
    path: entity.path,
    lines: { start: entity.startLine, end: entity.endLine },
    source_base: source === null || place === null ? null : { ...mintSourceBase(place, entity, source) },
  });
  return { entities: shown.map(rowOf), omitted: plan.entities.length - shown.length };
}
