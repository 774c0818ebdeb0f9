/**
 * What planning ends in: a complete plan, a conflict (the repository moved) or a refusal (the call cannot be done).
 * Conflicts and refusals are data; nothing of a call is applied when one of its operations ends in either.
 */
import type { LineRange } from "../../git/lines.ts";
import type { ObjectId } from "../../git/object-id.ts";
import type { EntitySource, RepositoryBase, SourceBase } from "../bases.ts";
import type { Entity } from "../entity.ts";

/** Stable codes of refusals: added, never renamed. */
export type RefusalCode =
  | "invalid_operation"
  | "call_too_large"
  | "invalid_base"
  | "entity_edited_twice"
  | "edits_overlap"
  | "anchor_missing"
  | "anchor_ambiguous"
  | "anchors_overlap"
  | "no_change"
  | "body_truncated"
  | "identity_changed"
  | "footprint_exceeded"
  | "syntax_error"
  | "source_refused"
  | "language_not_editable"
  | "remove_refused"
  | "name_taken"
  | "name_mismatch"
  | "kind_mismatch"
  | "receiver_missing"
  | "unit_invalid"
  | "unit_missing"
  | "unit_occupied"
  | "package_mismatch"
  | "placement_refused"
  | "import_invalid"
  | "import_conflict"
  | "import_comments"
  | "unit_imports_unchanged"
  | "repository_empty";

/** A syntax fault, where it is and what it is. Line and column are 1-based, the column in UTF-16 units. */
export interface FaultPlace {
  path: string;
  line: number;
  column: number;
  /** In words, e.g. `missing )` or `unreadable text`. */
  problem: string;
}

export interface Refusal {
  code: RefusalCode;
  applied: false;
  /** Index into `operations`, 0-based; null when it concerns the call as a whole. */
  operation: number | null;
  reason: string;
  next_step: string;
  /** With `syntax_error`: the new faults. */
  faults?: FaultPlace[];
}

export interface Conflict {
  code: "source_base_conflict" | "repository_base_conflict";
  applied: false;
  /** Index into `operations`, 0-based. */
  operation: number;
  reason: string;
  next_step: string;
  current_repository_base: RepositoryBase;
  /** The entity as it stands now, where it still stands. */
  current_source?: { body: string; source_base: SourceBase };
}

export interface PlannedFile {
  path: string;
  /** Six octal digits: the mode it had, 100644 for a new file. */
  mode: string;
  bytes: Uint8Array;
  /** Blob id of `bytes`. */
  blob: ObjectId;
  /** Blob id at the planned head; null for a new file. */
  previousBlob: ObjectId | null;
  /** Lines of the new text that its diff adds, 1-based, in order. */
  added: LineRange[];
}

export interface PlannedEntity {
  operation: number;
  effect: "edited" | "created" | "removed";
  /** Identity and place: after the commit; of a removed one, before it. */
  entity: Entity;
  /** What `mintSourceBase` takes once the commit's id is known; null of a removed one. */
  source: EntitySource | null;
}

export interface MutationPlan {
  /** In the order of their paths. */
  files: PlannedFile[];
  /** In the order of the operations; a removed owner is followed by its members. */
  entities: PlannedEntity[];
  /** Set when a base was minted at another head and carried over: the heads it came from. */
  rebasedFrom: (ObjectId | null)[];
  /** Unified diff in git's form, of all files. */
  diff: string;
  /** Syntax faults that were there before and still are; they did not block. */
  earlierFaults: FaultPlace[];
}

export type Outcome =
  | { status: "planned"; plan: MutationPlan }
  | { status: "conflict"; conflict: Conflict }
  | { status: "refused"; refusal: Refusal };

/** Thrown inside the planner only; `planMutation` turns it into an outcome. */
export class Stopped extends Error {
  readonly outcome: Exclude<Outcome, { status: "planned" }>;

  constructor(outcome: Exclude<Outcome, { status: "planned" }>) {
    super(outcome.status);
    this.outcome = outcome;
  }
}

export function refused(
  code: RefusalCode,
  operation: number | null,
  reason: string,
  nextStep: string,
  faults?: FaultPlace[],
): Stopped {
  const refusal: Refusal = { code, applied: false, operation, reason, next_step: nextStep };
  if (faults !== undefined) refusal.faults = faults;
  return new Stopped({ status: "refused", refusal });
}
