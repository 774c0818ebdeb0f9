/** For tests: an operation as a caller makes it who has read an entity at a commit, without reading it through the service. */
import assert from "node:assert/strict";
import { entitySource, mintSourceBase } from "../../src/core/entity/bases.ts";
import { readSourceUnit } from "../../src/core/entity/entity.ts";
import type { OperationInput } from "../../src/schema/mutation.ts";
import { reader } from "../support/memory-head.ts";

export interface ReadPlace {
  repository: string;
  repositoryId: number;
  head: string;
  path: string;
  /** The file's text at that commit. */
  text: string;
}

/** A patch of an entity of branch `main`, by its qualified name. */
export async function patchAt(
  { repository, repositoryId, head, path, text }: ReadPlace,
  name: string,
  [old_text, new_text]: readonly [string, string],
): Promise<OperationInput> {
  const unit = await readSourceUnit(reader, repositoryId, path, new TextEncoder().encode(text));
  const located = unit.located.find(({ entity }) => entity.qualifiedName === name);
  assert.ok(located, `no ${name} in ${path}`);
  const place = { repository, branch: "main", head };
  const base = mintSourceBase(place, located.entity, entitySource(unit, located));
  return {
    verb: "patch",
    target: located.entity.id,
    description: "",
    payload: { EntitySourcePatch: { source_base: base, edits: [{ old_text, new_text }] } },
  };
}
