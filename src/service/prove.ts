/** `pin.prove`: one evidence pack. Binds a claim's text to the bytes; says nothing of the claim's truth. */

import { AGENT_INSTRUCTION } from "../core/evidence/agent-instruction.ts";
import { containsText } from "../core/evidence/contains-text.ts";
import { envelopeOf } from "../core/evidence/envelope.ts";
import type { Call } from "../ports/call.ts";
import type { EvidencePack, ProveInput } from "../schema/evidence.ts";
import { locate } from "./locate.ts";
import { lookAround } from "./look-around.ts";
import { nextTool } from "./next.ts";
import type { ServicePorts } from "./service-ports.ts";
import { askedLines, readSlice } from "./slice.ts";

export async function prove(ports: ServicePorts, input: ProveInput, call: Call): Promise<EvidencePack> {
  const asked = askedLines(input.lineStart, input.lineEnd, ["lineStart", "lineEnd"]);
  const located = await locate(ports, call, input);
  const { fields, bytes } = await readSlice(ports, located, asked, input.maxBytes);
  const claim = input.claim ?? null;
  return {
    ...envelopeOf("evidence-pack"),
    ...fields,
    claim,
    claimTextMatch: claim === null || bytes === null ? null : containsText(bytes, claim),
    agentInstruction: AGENT_INSTRUCTION,
    next:
      fields.status === "ok"
        ? nextTool("pin.verify", call.spelling, {
            repository: input.repository,
            sourcePath: input.sourcePath,
            sha: located.commitSha,
            line: asked?.start,
            lineEnd: asked?.end,
            mustContain: claim,
          })
        : fields.status === "missing"
          ? lookAround(located, fields, call)
          : null,
  };
}
