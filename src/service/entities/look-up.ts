/**
 * Finds an entity anywhere in a commit, by its id or by its exact name. An id says nothing of its file: it is looked for where
 * it was met before, then in one file after the other. A name stands in the text of its file: only files that hold it are read.
 */
import type { Entity } from "../../core/entity/entity.ts";
import { findEntities } from "../../core/entity/find-entity.ts";
import type { EntityPlace } from "./place.ts";
import { type Queue, queueOf } from "./queue.ts";
import { type SelectedFile, selectFiles } from "./selection.ts";
import { Skips, skipReasonOf } from "./skipped.ts";
import { START, type Walked, walk } from "./walk.ts";

export interface LookedUp {
  found: Entity[];
  /** Why others may fit that were not found; then nothing is to be chosen. */
  gaps: string[];
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isEntityId = (wanted: string): boolean => ID.test(wanted);

export async function lookUp(place: EntityPlace, wanted: string): Promise<LookedUp> {
  const selection = await selectFiles(place, {});
  if (selection.status !== "ok") throw new TypeError("all files of a commit are selected");
  return isEntityId(wanted)
    ? await byId(place, wanted.toLowerCase(), selection.files)
    : await byName(place, wanted, selection.files);
}

async function byId(place: EntityPlace, id: string, files: readonly SelectedFile[]): Promise<LookedUp> {
  const accept = (entity: Entity) => (entity.id === id ? id : null);
  const path = place.remembered.pathOf(place.repositoryId, id);
  // Only a file that this caller's policy selected: where it stands is told to nobody else.
  const there = files.filter(({ entry }) => entry.path === path);
  for (const some of [there, files]) {
    const skips = new Skips();
    const queue = await queueOf(place, some, skips, { name: undefined, form: "whole", from: START });
    const walked = await walk(place, queue.files, START, { accept, limit: 1 });
    const [found] = walked.found;
    if (found !== undefined) return { found: [found.entity], gaps: [] };
    if (some === files) return { found: [], gaps: gapsOf(queue, walked, skips) };
  }
  return { found: [], gaps: [] };
}

async function byName(place: EntityPlace, name: string, files: readonly SelectedFile[]): Promise<LookedUp> {
  const skips = new Skips();
  const queue = await queueOf(place, files, skips, { name, form: "whole", from: START });
  const walked = await walk(place, queue.files, START, {
    accept: (entity) => (entity.name === name || entity.qualifiedName === name ? name : null),
    limit: CANDIDATES_AT_MOST,
  });
  const found = findEntities(
    walked.found.map(({ entity }) => entity),
    name,
  );
  return { found, gaps: gapsOf(queue, walked, skips) };
}

/** Of one name. Beyond, the answer is incomplete. */
const CANDIDATES_AT_MOST = 500;

function gapsOf(queue: Queue, walked: Walked<unknown>, skips: Skips): string[] {
  for (const { path, reason } of walked.refused)
    skips.add(reason === null ? "unread" : skipReasonOf(reason), path);
  const rest =
    walked.next === null ? [] : [`Only ${walked.read} of ${queue.files.length} files were looked at.`];
  return [...queue.gaps, ...skips.gaps, ...rest];
}
