/** Entities as answers tell of them. */
import type { Entity } from "../../core/entity/entity.ts";
import { ENTITY_KINDS, type EntityRow } from "../../schema/entities.ts";

/** The schema's words are the languages' own; a test holds them together. */
export const kindOf = (kind: string): EntityRow["kind"] => {
  const known = ENTITY_KINDS.find((word) => word === kind);
  if (known === undefined) throw new TypeError(`${kind} is no kind of any language`);
  return known;
};

export const rowOf = (entity: Entity): EntityRow => ({
  id: entity.id,
  kind: kindOf(entity.kind),
  name: entity.name,
  qualified_name: entity.qualifiedName,
  path: entity.path,
  start_line: entity.startLine,
  end_line: entity.endLine,
  signature: entity.signature,
  language: entity.language,
});
