/** Finds entities by id or by exact name. Several answers stay several: a guessed entity is a guessed edit. */
import type { Entity } from "./entity.ts";

/**
 * All entities meant by `wanted`: the one with that id, else those with that qualified name, else those with that
 * name. One result is an answer, several are candidates to choose from, none is unknown.
 */
export function findEntities<E extends Pick<Entity, "id" | "name" | "qualifiedName">>(
  entities: readonly E[],
  wanted: string,
): E[] {
  const id = wanted.toLowerCase();
  const byId = entities.filter((entity) => entity.id === id);
  if (byId.length > 0) return byId;
  const qualified = entities.filter((entity) => entity.qualifiedName === wanted);
  return qualified.length > 0 ? qualified : entities.filter((entity) => entity.name === wanted);
}
