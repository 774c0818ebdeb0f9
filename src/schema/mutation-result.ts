/**
 * Result of `kin_mutate`: a receipt, a plan, a conflict or a refusal. All four are results, never errors, and nothing of a
 * call is applied in three of them. Fields that do not belong to a status are left out, so that a conflict and a refusal
 * hold what the `kin_*` contract says and no more. Bounded: what is left out is counted or named, never cut silently.
 */
import * as z from "zod";
import { envelope, fullSha, nextCall } from "./common.ts";

/** Most of each in one answer. Units are UTF-16. */
export const RESULT_LIMITS = {
  diffUnits: 65_536,
  removedEntities: 200,
  faults: 50,
  /** Names of removed entities that are looked for, and lines that are shown. */
  removedNames: 20,
  references: 50,
} as const;

const base = z.record(z.string(), z.unknown());
const repositoryBase = base.describe("Opaque; for the next call that addresses a unit.");
const sourceBase = base.describe("Opaque; for the next edit of this entity, which needs no further read.");

const changedEntity = z.object({
  operation: z.number().int().describe("Index into `operations`."),
  effect: z.enum(["edited", "created", "removed"]),
  id: z.string(),
  name: z.string(),
  qualified_name: z.string().describe("With its owners: Store.Get."),
  kind: z.string(),
  path: z.string(),
  lines: z
    .object({ start: z.number().int(), end: z.number().int() })
    .describe("1-based, inclusive: after the commit, of a removed entity before it."),
  source_base: sourceBase.nullable().describe("Null of a removed entity and in a plan."),
});

const fault = z.object({
  path: z.string(),
  line: z.number().int(),
  column: z.number().int().describe("1-based, in UTF-16 units."),
  problem: z.string(),
});

export const removedReferences = z.object({
  names: z
    .array(z.string())
    .describe(
      "Names that were looked for, each as a whole word with case: of each removal the name of the entity itself. Members of a removed type are reached through it and not looked for.",
    ),
  unsearched: z
    .array(z.string())
    .describe(
      `Names of removed entities that were not looked for: one call looks for ${RESULT_LIMITS.removedNames}, of one line each.`,
    ),
  totalLines: z
    .number()
    .int()
    .describe("Lines that hold any of the names; one that holds several counts once."),
  lines: z
    .array(z.object({ path: z.string(), line: z.number().int(), text: z.string(), truncated: z.boolean() }))
    .describe(
      `The first ${RESULT_LIMITS.references} of them in git's order of paths, then by line, as they stand after the change.`,
    ),
  complete: z.boolean().describe("Every file that may be shown was searched."),
  command: z.string().nullable().describe("Shows them all in a clone; null where nothing was committed."),
});

const pullRequest = z.object({
  status: z.enum(["open", "failed"]),
  number: z.number().int().nullable(),
  url: z.string().nullable(),
  code: z.string().nullable().describe("Why it is not open. The commit stands all the same."),
  reason: z.string().nullable(),
  next_step: z.string().nullable(),
});

export const mutationResult = z.object({
  ...envelope("mutation-result"),
  status: z
    .enum(["committed", "planned", "conflict", "refused"])
    .describe(
      "committed: one commit holds all of it. planned: dry_run, nothing was written. conflict: the repository moved. refused: it cannot be done as asked. Nothing is ever applied in part.",
    ),
  applied: z.boolean(),
  repository: z.string().nullable().describe("Null where the bases name none, or several."),
  branch: z.string().nullable(),

  commitSha: fullSha.optional(),
  treeSha: fullSha.optional().describe("Root tree after the change; in a plan the one that it would make."),
  parent: fullSha.nullable().optional().describe("Commit that was planned on; null for a first commit."),
  url: z.string().nullable().optional(),
  already_applied: z
    .boolean()
    .optional()
    .describe(
      "This request_id was answered before: its first receipt, without what is closed to the caller by now.",
    ),
  ops_applied: z.number().int().optional(),
  modified_files: z.array(z.string()).optional().describe("Paths in order."),
  entities: z.array(changedEntity).optional(),
  entities_omitted: z
    .number()
    .int()
    .optional()
    .describe(
      "Entities that are not listed: removed members beyond the bound; in a repeat also those of closed paths.",
    ),
  created_entities: z
    .array(z.object({ entity_id: z.string(), name: z.string(), kind: z.string() }))
    .optional(),
  rebased: z
    .boolean()
    .optional()
    .describe("Bases of another head were carried over: their bytes still stood."),
  rebased_heads: z
    .object({ from: z.array(fullSha.nullable()), onto: fullSha.nullable() })
    .nullable()
    .optional(),
  diff: z
    .string()
    .nullable()
    .optional()
    .describe("Unified, as git apply takes it; null where it is too large."),
  diff_omitted: z
    .object({ reason: z.string(), command: z.string().nullable() })
    .optional()
    .describe("With `diff` null: why, and what shows it in a clone."),
  earlier_faults: z
    .object({ total: z.number().int(), places: z.array(fault) })
    .optional()
    .describe("Syntax errors of the touched files that were there before and did not block."),
  references: z
    .union([z.literal("not_checked"), removedReferences])
    .optional()
    .describe(
      "Where the names of removed entities still occur. not_checked: it could not be searched, or for a commit no archive of the state before is stored here; a dry_run fetches it, and pin_search_code finds the names at any commit. Left out where nothing was removed.",
    ),
  next_omits: z
    .number()
    .int()
    .optional()
    .describe("Places that were written and that `next` does not look at: it looks at the first 8."),
  audit: z.enum(["recorded", "not_recorded"]).optional(),
  pull_request: pullRequest.optional(),
  repository_base: repositoryBase.optional(),

  code: z.string().optional().describe("Of a conflict or refusal; stable."),
  operation: z
    .number()
    .int()
    .nullable()
    .optional()
    .describe("Index into `operations`; null: it concerns the call as a whole."),
  reason: z.string().optional(),
  next_step: z.string().optional(),
  faults: z.array(fault).optional().describe("With syntax_error: where the new text cannot be parsed."),
  current_repository_base: repositoryBase.optional(),
  current_source: z
    .object({ body: z.string(), source_base: sourceBase })
    .optional()
    .describe("The entity as it stands now, complete."),

  next: nextCall,
});

export type MutationResult = z.infer<typeof mutationResult>;
export type ChangedEntity = z.infer<typeof changedEntity>;
export type RemovedReferences = z.infer<typeof removedReferences>;
export type PullRequestResult = z.infer<typeof pullRequest>;
