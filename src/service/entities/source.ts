/**
 * `get_entity_source`: the exact, complete text of one entity, with the base that an edit hands back. A name that several fit
 * gives all of them and no text; where not every file could be looked at, none is chosen. A guessed body is a guessed edit.
 */
import type { Entity } from "../../core/entity/entity.ts";
import { findEntities } from "../../core/entity/find-entity.ts";
import { sourceRefused } from "../../core/entity/source-refused.ts";
import { SOURCE_BYTES } from "../../core/entity/source-text.ts";
import { assertPath } from "../../core/git/path.ts";
import type { Call } from "../../ports/call.ts";
import type { SourceReading } from "../../ports/entity-parser.ts";
import { CONTRACT, type NextCall, PRODUCT } from "../../schema/common.ts";
import type { EntitySource, EntitySourceInput } from "../../schema/entities.ts";
import { type NamedCommit, nameCommit, type OpenedCommit, openCommit } from "../commit-gate.ts";
import { type Located, locate, locateIn } from "../locate.ts";
import { nextTool } from "../next.ts";
import type { ServicePorts } from "../service-ports.ts";
import { isEntityId, lookUp } from "./look-up.ts";
import { type EntityPlace, entityPlace } from "./place.ts";
import { FilesReading } from "./read-files.ts";
import { rowOf } from "./rows.ts";
import { refusalOf } from "./selection.ts";
import { sourceFields } from "./source-fields.ts";

/** What the answers of one call have in common. */
interface Asking {
  ports: ServicePorts;
  input: EntitySourceInput;
  call: Call;
}

export async function entitySource(
  ports: ServicePorts,
  input: EntitySourceInput,
  call: Call,
): Promise<EntitySource> {
  const asking = { ports, input, call };
  const { repository, path, sha, ref } = input;
  if (path !== undefined) {
    assertPath(path, "path");
    const located = await locate(ports, call, { repository, sourcePath: path, sha, ref });
    return await inFile(asking, located, path);
  }
  const opened = await openCommit(await nameCommit(ports, call, { repository, sha, ref }));
  return await anywhere(asking, opened);
}

async function inFile(asking: Asking, located: Located, path: string): Promise<EntitySource> {
  const { outcome } = located;
  if (outcome.status !== "ok") return nothing(asking, located, outcome.status, outcome.reason);
  const { entry } = outcome.found;
  const place = await entityPlace(asking.ports, asking.call, located, outcome);
  const refusal =
    refusalOf(entry) ?? ((entry.size ?? 0) > SOURCE_BYTES ? sourceRefused("too_large", path).message : null);
  if (refusal !== null) return nothing(asking, located, "refused", refusal);
  const reading = await readingAt(place, located);
  if (reading.status === "refused") return nothing(asking, located, "refused", reading.message);
  const found = findEntities(reading.entities, asking.input.entity_id);
  return await chosen(asking, place, located, found, reading);
}

async function anywhere(asking: Asking, opened: OpenedCommit): Promise<EntitySource> {
  const { outcome } = opened;
  if (outcome.status !== "ok") return nothing(asking, opened, outcome.status, outcome.reason);
  const place = await entityPlace(asking.ports, asking.call, opened, outcome);
  const { found, gaps } = await lookUp(place, asking.input.entity_id);
  if (gaps.length > 0) {
    const reason = `${gaps.join(" ")} Call again with the path of its file.`;
    return { ...nothing(asking, opened, "incomplete", reason), candidates: found.map(rowOf) };
  }
  const [only] = found;
  if (only === undefined || found.length > 1) return several(asking, opened, found);
  const located = await locateIn(opened, only.path);
  return await chosen(asking, place, located, found, await readingAt(place, located));
}

/** The reading of a located file, remembered or made now. */
async function readingAt(place: EntityPlace, { outcome }: Located): Promise<SourceReading> {
  if (outcome.status !== "ok") throw new TypeError("only a found file is read");
  const { entry } = outcome.found;
  const known = place.remembered.get({ repositoryId: place.repositoryId, path: entry.path, blob: entry.id });
  if (known !== null) return known;
  const bytes = await place.reader.blob(entry.id);
  const reading = new FilesReading(place);
  const [fresh] = await reading.read([{ file: { entry, index: 0 }, bytes }]);
  reading.check();
  if (fresh === undefined || fresh === null) throw new TypeError("a file was handed in and no reading came");
  return fresh;
}

async function chosen(
  asking: Asking,
  place: EntityPlace,
  located: Located,
  found: readonly Entity[],
  reading: SourceReading,
): Promise<EntitySource> {
  const [entity] = found;
  if (entity === undefined || found.length > 1) return several(asking, located, found);
  const fields = await sourceFields(asking.ports, asking.call, place, located, entity);
  const faults = reading.status === "read" ? reading.faults : [];
  return {
    ...frame(asking, located),
    ...fields,
    status: "ok",
    reason: null,
    syntax_errors: faults.slice(0, 20),
  };
}

function several(asking: Asking, named: NamedCommit, found: readonly Entity[]): EntitySource {
  const { entity_id, path } = asking.input;
  const where = path === undefined ? `commit ${named.commitSha}` : `${path} at commit ${named.commitSha}`;
  if (found.length === 0) {
    return nothing(
      asking,
      named,
      "missing",
      `No entity has the id or the exact name ${quoted(entity_id)} in ${where}.`,
    );
  }
  const reason = `${found.length} entities are named ${quoted(entity_id)} in ${where}. Call again with the id and path of one of candidates.`;
  return { ...nothing(asking, named, "ambiguous", reason), candidates: found.map(rowOf) };
}

const quoted = (text: string): string => JSON.stringify(text);

const NO_ENTITY = {
  id: null,
  kind: null,
  name: null,
  qualified_name: null,
  language: null,
  start_line: null,
  end_line: null,
  start_byte: null,
  end_byte: null,
  signature: null,
  body: null,
  body_sha256: null,
  body_command: null,
  source_base: null,
  blobSha: null,
  citation: null,
  proof: null,
} as const satisfies Partial<EntitySource>;

const frame = ({ input }: Asking, { entry, commitSha, reachable, head }: NamedCommit) => ({
  product: PRODUCT as typeof PRODUCT,
  contract: CONTRACT as typeof CONTRACT,
  repository: entry.name,
  commitSha,
  path: input.path ?? null,
  candidates: [],
  reachable,
  ...(head === null ? {} : { head: { ...head } }),
});

function nothing(
  asking: Asking,
  named: NamedCommit,
  status: Exclude<EntitySource["status"], "ok">,
  reason: string,
): EntitySource {
  return {
    ...frame(asking, named),
    ...NO_ENTITY,
    status,
    reason,
    source_base_reason: "No source was read.",
    syntax_errors: [],
    next: leadOn(asking, named, status),
  };
}

/** Of several none is suggested: that would be a guess. */
function leadOn(
  { input, call }: Asking,
  { commitSha }: NamedCommit,
  status: EntitySource["status"],
): NextCall {
  const { repository, entity_id, path, ref } = input;
  const at = { ref, sha: input.sha === undefined ? undefined : commitSha };
  switch (status) {
    case "refused":
      return nextTool("pin.read", call.spelling, { repository, sourcePath: path, ...at });
    case "missing":
    case "incomplete":
      return isEntityId(entity_id)
        ? nextTool("kin_find_entities", call.spelling, { repository, path, ...at })
        : nextTool("kin_find_entities", call.spelling, { repository, query: entity_id, ...at });
    default:
      return null;
  }
}
