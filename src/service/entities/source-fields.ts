/**
 * What is told of one entity: its text cut from the checked bytes of its file, the evidence for its lines, the base for an
 * edit where it was read at a branch's present tip, and the call that goes on from there.
 */
import { mintSourceBase, type SourceBase } from "../../core/entity/bases.ts";
import type { Entity } from "../../core/entity/entity.ts";
import { LANGUAGES } from "../../core/entity/language/table.ts";
import { sha256 } from "../../core/git/hash.ts";
import type { Call } from "../../ports/call.ts";
import type { NextCall } from "../../schema/common.ts";
import type { EntitySource } from "../../schema/entities.ts";
import type { Located } from "../locate.ts";
import { nextTool } from "../next.ts";
import { proofOf } from "../proof.ts";
import type { ServicePorts } from "../service-ports.ts";
import { citationAt } from "../slice.ts";
import { writableTip } from "./branch.ts";
import type { EntityPlace } from "./place.ts";
import { rowOf } from "./rows.ts";
import { mayEdit } from "./writable.ts";

type Fields = Omit<
  EntitySource,
  | "product"
  | "contract"
  | "status"
  | "reason"
  | "repository"
  | "commitSha"
  | "candidates"
  | "reachable"
  | "head"
  | "syntax_errors"
>;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export async function sourceFields(
  ports: ServicePorts,
  call: Call,
  { reader }: EntityPlace,
  located: Located,
  entity: Entity,
): Promise<Fields> {
  const { outcome } = located;
  if (outcome.status !== "ok") throw new TypeError("only an entity of a found file has a source");
  const { startByte, endByte, startLine, endLine } = entity;
  const blobSha = outcome.found.entry.id;
  const bytes = (await reader.blob(blobSha)).subarray(startByte, endByte);
  const bodySha256 = sha256(bytes);
  const { base, reason } = await baseOf(located, entity, { blob: blobSha, bodySha256 });
  const whole = citationAt(ports, located, null, "ok").verify.gitShow;
  return {
    ...rowOf(entity),
    start_byte: startByte,
    end_byte: endByte,
    body: decoder.decode(bytes),
    body_sha256: bodySha256,
    body_command: `${whole} | tail -c +${startByte + 1} | head -c ${endByte - startByte}`,
    source_base: base,
    source_base_reason: reason,
    blobSha,
    citation: citationAt(ports, located, { start: startLine, end: endLine }, "ok"),
    proof: proofOf(outcome),
    next: nextOf(ports, call, located, entity, base),
  };
}

interface Minted {
  base: SourceBase | null;
  reason: string | null;
}

async function baseOf(
  { entry, reader, head, commitSha }: Located,
  entity: Entity,
  source: { blob: string; bodySha256: string },
): Promise<Minted> {
  const { editing, title } = LANGUAGES[entity.language];
  if (editing === "none") return { base: null, reason: `Entities in ${title} are read here, never edited.` };
  const tip = await writableTip(head, reader);
  if ("reason" in tip) return { base: null, reason: tip.reason };
  const place = { repository: entry.name, branch: tip.branch, head: commitSha };
  return { base: mintSourceBase(place, entity, source), reason: null };
}

/** Of the form of an edit, and none: as it stands it is refused, for its anchor is no text of the entity. */
const TO_FILL_IN = { old_text: "<text that occurs once in body>", new_text: "<text in its place>" };

/** To who may edit it the edit, with the base in its place; to all others the proof of its lines. */
function nextOf(
  ports: ServicePorts,
  { caller, spelling }: Call,
  { entry, commitSha }: Located,
  { id, path, startLine, endLine }: Entity,
  base: SourceBase | null,
): NextCall {
  if (base !== null && mayEdit(ports, caller, entry, base.branch, path)) {
    const payload = { EntitySourcePatch: { source_base: base, edits: [TO_FILL_IN] } };
    return nextTool("kin_mutate", spelling, {
      operations: [{ verb: "patch", target: id, payload, description: "<what this changes>" }],
    });
  }
  return nextTool("pin.prove", spelling, {
    repository: entry.name,
    sourcePath: path,
    sha: commitSha,
    lineStart: startLine,
    lineEnd: endLine,
  });
}
