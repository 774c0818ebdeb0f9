/**
 * What a call is about, read from its operations alone: one repository and one branch, which all bases must name, and the
 * files its bases speak of. Refuses, as data, what the planner would refuse anyway before anything is opened for it.
 */
import { isUnitOperation, type Operation, readOperation } from "../../core/entity/edit/operation.ts";
import { type Refusal, refused, Stopped } from "../../core/entity/edit/outcome.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { OperationInput } from "../../schema/mutation.ts";

export interface Asked {
  /** Registry name. */
  repository: string;
  /** Branch that the bases are of, without `refs/heads/`. */
  branch: string;
  /** In the order of the call. */
  operations: readonly Operation[];
  /** Files that planning will read, as far as the bases tell. */
  paths: readonly string[];
  /** Commits whose directories are compared with the present ones. */
  heads: ReadonlySet<ObjectId>;
}

/** Commits that the repository bases of one call may be of: each costs requests of its own. */
const HEADS = 4;

export function readAsked(inputs: readonly OperationInput[]): Asked | Refusal {
  try {
    const operations = inputs.map((input, index) => readOperation(input, index));
    const first = operations[0]?.base;
    if (first === undefined) throw invalidBase(null, "The call has no operation.");
    for (const { base, index } of operations) {
      if (base.repository === first.repository && base.branch === first.branch) continue;
      throw invalidBase(
        index,
        `operations[${index}]: its base is of ${base.repository}, branch ${base.branch}; that of operations[0] is of ${first.repository}, branch ${first.branch}.`,
      );
    }
    const units = operations.filter(isUnitOperation);
    const heads = new Set(units.flatMap(({ base }) => (base.head === null ? [] : [base.head])));
    if (heads.size > HEADS) {
      throw refused(
        "invalid_base",
        null,
        `The repository_bases of this call are of ${heads.size} commits; ${HEADS} are compared at most.`,
        "Read kin_status and send its repository_base with every operation that takes one.",
      );
    }
    const paths = new Set(operations.flatMap(pathsOf));
    return {
      repository: first.repository,
      branch: first.branch,
      operations,
      paths: [...paths],
      heads,
    };
  } catch (thrown) {
    if (thrown instanceof Stopped && thrown.outcome.status === "refused") return thrown.outcome.refusal;
    throw thrown;
  }
}

function pathsOf(operation: Operation): string[] {
  if (!isUnitOperation(operation)) return [operation.base.path];
  return "path" in operation.unit ? [operation.unit.path] : [];
}

const invalidBase = (operation: number | null, reason: string) =>
  refused("invalid_base", operation, reason, "Send one call for each repository and branch.");
