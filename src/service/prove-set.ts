/**
 * `pin.prove_set`: up to eight evidence packs side by side, under one id that does not depend on their order.
 * The items share the byte bound of one answer, unless they say their own.
 */
import { AGENT_INSTRUCTION } from "../core/evidence/agent-instruction.ts";
import { envelopeOf } from "../core/evidence/envelope.ts";
import { evidenceSetId } from "../core/evidence/evidence-set-id.ts";
import type { Call } from "../ports/call.ts";
import { LIMITS } from "../schema/common.ts";
import type { EvidencePack } from "../schema/evidence.ts";
import type { EvidenceSet, ProveSetInput } from "../schema/evidence-set.ts";
import { outcomeOf } from "./item-outcome.ts";
import { nextTool } from "./next.ts";
import { prove } from "./prove.ts";
import type { ServicePorts } from "./service-ports.ts";
import { sideBySide } from "./side-by-side.ts";

export async function proveSet(ports: ServicePorts, input: ProveSetInput, call: Call): Promise<EvidenceSet> {
  const maxBytes = Math.floor(LIMITS.contentBytes / input.items.length);
  const outcomes = await sideBySide(input.items, (item) =>
    outcomeOf(() => prove(ports, { ...item, maxBytes: item.maxBytes ?? maxBytes }, call)),
  );
  const packs = outcomes.flatMap(({ result }) => (result?.status === "ok" ? [result] : []));
  const id = packs.length === 0 ? null : evidenceSetId(packs.map(({ citation }) => citation));
  return {
    ...envelopeOf("evidence-set"),
    status: packs.length === 0 ? "failed" : packs.length === outcomes.length ? "ok" : "partial",
    evidenceSetId: id,
    items: outcomes.map(({ result, error }, index) => ({ index, pack: result, error })),
    agentInstruction: AGENT_INSTRUCTION,
    next:
      id === null
        ? null
        : nextTool("pin.verify_set", call.spelling, { items: packs.map(toVerify), evidenceSetId: id }),
  };
}

/** What `pin.verify` takes to re-check a pack. */
function toVerify({ citation, claim }: EvidencePack): Record<string, unknown> {
  const { repository, sourcePath, commitSha, line, lineEnd } = citation;
  return {
    repository,
    sourcePath,
    sha: commitSha,
    ...(line === null ? {} : { line, lineEnd: lineEnd ?? line }),
    ...(claim === null ? {} : { mustContain: claim }),
  };
}
