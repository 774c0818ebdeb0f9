/** Conflicts and refusals as results: the planner's data as it is, in the frame of the answer. Nothing was applied. Pure. */
import type { Conflict, Refusal } from "../../core/entity/edit/outcome.ts";
import { envelopeOf } from "../../core/evidence/envelope.ts";
import { type MutationResult, RESULT_LIMITS } from "../../schema/mutation-result.ts";

/** Null where the bases name none, or several. */
export interface AnswerPlace {
  repository: string | null;
  branch: string | null;
}

/** Refusals that the planner does not know: they concern the call as a whole. */
export type ServiceRefusal = Omit<Refusal, "code"> & { code: Refusal["code"] | "branch_exists" };

const frame = ({ repository, branch }: AnswerPlace) => ({
  ...envelopeOf("mutation-result"),
  repository,
  branch,
  next: null,
});

export const refusedResult = (place: AnswerPlace, refusal: ServiceRefusal): MutationResult => ({
  ...frame(place),
  status: "refused",
  ...refusal,
  ...(refusal.faults === undefined ? {} : { faults: refusal.faults.slice(0, RESULT_LIMITS.faults) }),
});

/** `operation` is null where no single one is to blame. */
export const conflictResult = (
  place: AnswerPlace,
  conflict: Omit<Conflict, "operation"> & { operation: number | null },
): MutationResult => ({
  ...frame(place),
  status: "conflict",
  ...conflict,
  current_repository_base: { ...conflict.current_repository_base },
  ...(conflict.current_source === undefined
    ? {}
    : {
        current_source: {
          body: conflict.current_source.body,
          source_base: { ...conflict.current_source.source_base },
        },
      }),
});
