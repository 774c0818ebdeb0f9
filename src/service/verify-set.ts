/** `pin.verify_set`: up to eight verdicts side by side, and whether together they are the set they are said to be. */
import { envelopeOf } from "../core/evidence/envelope.ts";
import { evidenceSetId } from "../core/evidence/evidence-set-id.ts";
import type { Call } from "../ports/call.ts";
import type { VerificationSetReport, VerifySetInput } from "../schema/verification-set.ts";
import { outcomeOf } from "./item-outcome.ts";
import type { ServicePorts } from "./service-ports.ts";
import { sideBySide } from "./side-by-side.ts";
import { verifyAny } from "./verify.ts";

export async function verifySet(
  ports: ServicePorts,
  input: VerifySetInput,
  call: Call,
): Promise<VerificationSetReport> {
  const outcomes = await sideBySide(input.items, (item) => outcomeOf(() => verifyAny(ports, item, call)));
  const reports = outcomes.flatMap(({ result }) => (result === null ? [] : [result]));
  const verdicts = { ok: 0, mismatch: 0, contradicted: 0, missing: 0, blocked: 0, unchecked: 0 };
  for (const { result } of outcomes) verdicts[result?.status ?? "unchecked"] += 1;
  // The recipe knows places; two absences of one commit would look alike in it.
  const places = verdicts.unchecked === 0 && input.items.every(({ absence }) => absence === undefined);
  const id = !places ? null : evidenceSetId(reports.map(({ citation }) => citation));
  const matches =
    id === null || input.evidenceSetId === undefined ? null : id === input.evidenceSetId.toLowerCase();
  const allOk = verdicts.ok === outcomes.length && matches !== false;
  return {
    ...envelopeOf("verification-set-report"),
    status: verdicts.unchecked > 0 ? "incomplete" : allOk ? "ok" : "not-ok",
    verdicts,
    evidenceSetId: id,
    evidenceSetIdMatches: matches,
    items: outcomes.map(({ result, error }, index) => ({ index, report: result, error })),
    // What to do about the first citation that no longer holds is what its own report suggests.
    next: reports.find(({ status }) => status !== "ok")?.next ?? null,
  };
}
