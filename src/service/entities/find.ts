/**
 * `kin_find_entities`: entities of one commit by name, kind, language and path. Exact, or said to be incomplete and how to go
 * on: every source that may declare what is asked for is parsed, as many as one call takes, and what is left out is named.
 */
import type { Entity } from "../../core/entity/entity.ts";
import { type NameMatch, nameQuery } from "../../core/entity/name-query.ts";
import { envelopeOf } from "../../core/evidence/envelope.ts";
import type { Call } from "../../ports/call.ts";
import type { NextCall } from "../../schema/common.ts";
import { ENTITY_LIMITS, type EntitiesFound, type FindEntitiesInput } from "../../schema/entities.ts";
import { nameCommit, type OpenedCommit, openCommit } from "../commit-gate.ts";
import { nextTool } from "../next.ts";
import type { ServicePorts } from "../service-ports.ts";
import { checkPosition, cursorOf, type Page, pageOf } from "./find-cursor.ts";
import { entityPlace } from "./place.ts";
import { type Queue, queueOf } from "./queue.ts";
import { rowOf } from "./rows.ts";
import { type Selection, selectFiles } from "./selection.ts";
import { skipReasonOf } from "./skipped.ts";
import { type Walked, walk } from "./walk.ts";

type Nothing = Pick<EntitiesFound, "status" | "reason">;

export async function findEntities(
  ports: ServicePorts,
  input: FindEntitiesInput,
  call: Call,
): Promise<EntitiesFound> {
  const page = pageOf(input);
  const { repository, sha, ref } = input;
  const at = page.sha === null ? { repository, sha, ref } : { repository, sha: page.sha };
  const opened = await openCommit(await nameCommit(ports, call, at));
  if (opened.outcome.status !== "ok") return nothing(opened, opened.outcome, input, call);
  const place = await entityPlace(ports, call, opened, opened.outcome);
  const selection = await selectFiles(place, input);
  if (selection.status !== "ok") return nothing(opened, selection, input, call);
  const { files, skips, single } = selection;
  const queue = await queueOf(place, files, skips, { name: input.query, form: "part", from: page.from });
  checkPosition(page, files, queue);
  const walked = await walk(place, queue.files, page.from, {
    accept: accepting(input),
    limit: input.limit ?? ENTITY_LIMITS.rows,
  });
  for (const { path, reason } of walked.refused)
    skips.add(reason === null ? "unread" : skipReasonOf(reason), path);
  const [left] = skips.list;
  if (single && left !== undefined) {
    const reason =
      walked.refused[0]?.message ?? `${input.path ?? ""} is not read: ${left.detail ?? left.reason}.`;
    return nothing(opened, { status: "refused", reason }, input, call);
  }
  return answer(opened, input, call, page, selection, queue, walked);
}

function accepting({ query, kind }: FindEntitiesInput): (entity: Entity) => NameMatch | null {
  const match = query === undefined ? () => "part" as const : nameQuery(query);
  return (entity) => (kind === undefined || entity.kind === kind ? match(entity) : null);
}

function answer(
  opened: OpenedCommit,
  input: FindEntitiesInput,
  call: Call,
  page: Page,
  { files, skips }: Extract<Selection, { status: "ok" }>,
  queue: Queue,
  walked: Walked<NameMatch>,
): EntitiesFound {
  const { found, read, faults, next } = walked;
  const nextCursor = next === null ? null : cursorOf(input, opened.commitSha, page.ref, next);
  const incomplete = [
    ...queue.gaps,
    ...skips.gaps,
    ...(next === null ? [] : ["There is more: nextCursor goes on from here."]),
  ];
  const exact = found.filter(({ as }) => as === "exact");
  const other = found.filter(({ as }) => as !== "exact");
  const entities = [...exact, ...other].map(({ entity }) => rowOf(entity));
  return {
    ...frame(opened),
    status: "ok",
    reason: null,
    entities,
    complete: incomplete.length === 0,
    incomplete,
    files: { selected: files.length, holding: queue.holding, read },
    skipped: skips.list,
    syntax_errors: faults,
    nextCursor,
    next: nextOf(input, call, page, opened, entities[0], nextCursor),
  };
}

/** The first entity's source; else the next page; else the search for the same text. */
function nextOf(
  input: FindEntitiesInput,
  call: Call,
  { ref }: Page,
  { commitSha }: OpenedCommit,
  first: EntitiesFound["entities"][number] | undefined,
  nextCursor: string | null,
): NextCall {
  const { repository, query } = input;
  // A source is read at the tip, unless a commit was asked for: only then can it be edited.
  const at = { ref, sha: input.sha === undefined ? undefined : commitSha };
  if (first !== undefined) {
    const { id, path } = first;
    return nextTool("get_entity_source", call.spelling, { repository, entity_id: id, path, ...at });
  }
  if (nextCursor !== null) {
    return nextTool("kin_find_entities", call.spelling, { ...input, ref: undefined, cursor: nextCursor });
  }
  return query === undefined
    ? null
    : nextTool("pin.search_code", call.spelling, { repository, query, ...at });
}

const frame = ({ entry, commitSha, reachable, head }: OpenedCommit) => ({
  ...envelopeOf("entities"),
  repository: entry.name,
  commitSha,
  reachable,
  ...(head === null ? {} : { head: { ...head } }),
});

function nothing(
  opened: OpenedCommit,
  { status, reason }: Nothing,
  input: FindEntitiesInput,
  call: Call,
): EntitiesFound {
  const { repository, path: sourcePath } = input;
  const commitThere = opened.outcome.status === "ok";
  return {
    ...frame(opened),
    status,
    reason,
    entities: [],
    complete: false,
    incomplete: [],
    files: { selected: 0, holding: null, read: 0 },
    skipped: [],
    syntax_errors: [],
    nextCursor: null,
    next:
      status === "blocked"
        ? null
        : nextTool("pin.read", call.spelling, {
            repository,
            sha: commitThere ? opened.commitSha : undefined,
            sourcePath: status === "refused" ? sourcePath : undefined,
          }),
  };
}
