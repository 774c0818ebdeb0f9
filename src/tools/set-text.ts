/** Sets as lines that a person can read: the set's own verdict first, then one line for each item in its order. */

import { printable } from "../core/printable.ts";
import type { ErrorReport } from "../errors.ts";
import type { EvidenceSet } from "../schema/evidence-set.ts";
import type { VerificationSetReport } from "../schema/verification-set.ts";
import { packText, reportText } from "./text.ts";

const errorText = (error: Pick<ErrorReport, "code" | "message"> | null): string =>
  printable(`error  ${error?.code ?? ""}: ${error?.message ?? ""}`);

export function evidenceSetText(set: EvidenceSet): string {
  const items = set.items.map(({ pack, error }) => (pack === null ? errorText(error) : packText(pack)));
  return [`${set.status}  evidence set ${set.evidenceSetId ?? "-"}`, ...items].join("\n");
}

export function verificationSetText(report: VerificationSetReport): string {
  const items = report.items.map(({ report: one, error }) =>
    one === null ? errorText(error) : reportText(one),
  );
  const id = report.evidenceSetIdMatches === false ? "  the id is of another set" : "";
  return [`${report.status}  evidence set ${report.evidenceSetId ?? "-"}${id}`, ...items].join("\n");
}
