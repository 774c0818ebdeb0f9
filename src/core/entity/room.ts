/**
 * How much room answers about entities take, by estimate, so that each fits into one message between two Workers (32 MiB):
 * what is larger is refused by name, the same wherever it is computed. Strings may take two bytes for each unit.
 */
import type { FaultPlace, MutationPlan } from "./edit/outcome.ts";
import type { Entity } from "./entity.ts";

/** Bytes of one answer at most. */
export const ANSWER_BYTES = 24 * 1024 * 1024;

/** Names and numbers of an object's fields. */
const FIELDS = 160;
/** Two numbers with their names. */
const RANGE = 32;

const text = (...strings: readonly string[]): number =>
  strings.reduce((sum, { length }) => sum + 2 * length, FIELDS);

const roomOfEntity = ({ id, kind, name, qualifiedName, path, signature }: Entity): number =>
  text(id, kind, name, qualifiedName, path, signature);

export function roomOfReading(entities: readonly Entity[], faults: readonly FaultPlace[]): number {
  const listed = entities.reduce((sum, entity) => sum + roomOfEntity(entity), FIELDS);
  return faults.reduce((sum, { path, problem }) => sum + text(path, problem), listed);
}

export function roomOfPlan({ files, entities, diff, earlierFaults }: MutationPlan): number {
  const written = files.reduce(
    (sum, { path, bytes, added }) => sum + bytes.byteLength + text(path) + RANGE * added.length,
    text(diff),
  );
  const planned = entities.map(({ entity }) => entity);
  return written + roomOfReading(planned, earlierFaults);
}
