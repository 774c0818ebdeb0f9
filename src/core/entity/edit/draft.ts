/**
 * One file while a call is planned: how it stood, how it stands now, and where the entities of each operation are.
 * A draft of a new file has no `original`.
 */
import { type Declaration, type Span, within } from "../declaration.ts";
import type { Located, SourceUnit } from "../entity.ts";
import type { FaultPlace } from "./outcome.ts";
import type { Spliced } from "./splice.ts";

/** An entity that an operation edited or made, followed through later splices of the same file. */
export interface Tracked {
  operation: number;
  effect: "edited" | "created";
  kind: string;
  qualifiedName: string;
  /** Text it was found in. */
  region: Span;
}

export interface Removed {
  operation: number;
  located: Located;
}

export interface Draft {
  path: string;
  mode: string;
  original: SourceUnit | null;
  unit: SourceUnit;
  tracked: Tracked[];
  removed: Removed[];
  earlierFaults: FaultPlace[];
}

/** Takes over the next state of the file. */
export function advance(draft: Draft, unit: SourceUnit, spliced: Spliced, earlierFaults: FaultPlace[]): void {
  draft.unit = unit;
  draft.earlierFaults = earlierFaults;
  for (const tracked of draft.tracked) tracked.region = spliced.move(tracked.region);
}

/**
 * The declaration of that kind and name that stands in the region, or whose declaring node does: the last of a list of
 * declarators takes the statement over, so that its core is more than it was.
 */
export function declarationIn(
  unit: SourceUnit,
  region: Span,
  kind: string,
  qualifiedName: string,
): Located | undefined {
  return unit.located.find(
    ({ declaration }) =>
      declaration.kind === kind &&
      declaration.qualifiedName === qualifiedName &&
      (within(declaration.core, region) || within(declaration.node, region)),
  );
}

/** Whether `inner` is a member of `outer`: inside it and not the same declaration. */
export const isMember = (inner: Declaration, outer: Declaration): boolean =>
  within(inner.core, outer.core) && (inner.core.start > outer.core.start || inner.core.end < outer.core.end);
