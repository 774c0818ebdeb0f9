/**
 * Whether what a caller saw still stands. When the head has moved, an operation is carried over if its entity's bytes
 * stand under the same id, or (for units) if the unit's directory is unchanged. Else the answer is a conflict, which
 * hands out the present.
 */
import { sha256 } from "../../git/hash.ts";
import {
  entitySource,
  mintRepositoryBase,
  mintSourceBase,
  type RepositoryBase,
  type SourceBase,
} from "../bases.ts";
import { entityBody, type Located, type SourceUnit } from "../entity.ts";
import type { HeadView } from "./head-view.ts";
import { type Conflict, refused, Stopped } from "./outcome.ts";
import type { PlanRequest } from "./plan-mutation.ts";

type Place = Pick<PlanRequest, "repository" | "branch" | "baseBranch" | "head" | "tree">;

export function assertSamePlace(base: RepositoryBase | SourceBase, place: Place, operation: number): void {
  const branch = place.baseBranch ?? place.branch;
  if (base.repository === place.repository && base.branch === branch) return;
  throw refused(
    "invalid_base",
    operation,
    `operations[${operation}]: its base is of ${base.repository}, branch ${base.branch}; this call is of ${place.repository}, branch ${branch}.`,
    "Send one call for each repository and branch.",
  );
}

function conflict(
  code: Conflict["code"],
  operation: number,
  reason: string,
  nextStep: string,
  place: Place,
  source?: Conflict["current_source"],
): Stopped {
  const data: Conflict = {
    code,
    applied: false,
    operation,
    reason,
    next_step: nextStep,
    current_repository_base: mintRepositoryBase(place),
  };
  if (source !== undefined) data.current_source = source;
  return new Stopped({ status: "conflict", conflict: data });
}

/** The entity a base speaks of, as it stands at the planned head. `unit` is null when its file is gone. */
export function currentEntity(
  base: SourceBase,
  unit: SourceUnit | null,
  place: Place,
  operation: number,
): Located {
  const { head } = place;
  const found = unit?.located.find(({ entity }) => entity.id === base.entity_id);
  if (unit === null || found === undefined || head === null) {
    throw conflict(
      "source_base_conflict",
      operation,
      unit === null ? `${base.path} is not there any more.` : `The entity is not in ${base.path} any more.`,
      "Find it with kin_find_entities, read it with get_entity_source, and decide again.",
      place,
    );
  }
  const body = entityBody(unit, found);
  const now = mintSourceBase(
    { repository: place.repository, branch: place.branch, head },
    found.entity,
    entitySource(unit, found),
  );
  const current = { body, source_base: now };
  if (sha256(body) !== base.body_sha256) {
    throw conflict(
      "source_base_conflict",
      operation,
      "The entity's source has changed since it was read.",
      "Compare current_source with what you meant, then send the operation with its source_base.",
      place,
      current,
    );
  }
  const sameHead = base.head === head;
  const exact =
    base.path === now.path &&
    base.blob === now.blob &&
    base.start_byte === now.start_byte &&
    base.end_byte === now.end_byte;
  if (!sameHead || exact) return found;
  throw conflict(
    "source_base_conflict",
    operation,
    "The source_base does not describe the file at its own commit.",
    "Send the source_base exactly as it was handed out; a current one is in current_source.",
    place,
    current,
  );
}

/** A unit is current when the base is, or when its directory is the same at both commits. */
export async function assertUnitCurrent(
  base: RepositoryBase,
  directory: string,
  view: HeadView,
  place: Place,
  operation: number,
): Promise<void> {
  if (base.head === place.head && base.tree === place.tree) return;
  const then = base.head === null ? null : await view.directoryId(base.head, directory);
  const now = place.head === null ? null : await view.directoryId(place.head, directory);
  if (base.head !== place.head && then === now) return;
  throw conflict(
    "repository_base_conflict",
    operation,
    base.head === place.head
      ? "The repository_base does not describe its own commit."
      : `The directory ${directory || "at the root"} has changed since the base was handed out.`,
    "Look at the unit again, then send the call with current_repository_base.",
    place,
  );
}
