/**
 * `gitpin verify --from-pack`: each piece of saved evidence is checked against itself and then asked for again.
 * Its own contradiction counts as `contradicted`, whatever stands at the commit.
 */

import { printable } from "../core/printable.ts";
import { reportText } from "../tools/text.ts";
import { connect } from "./connection.ts";
import type { CommandContext } from "./output.ts";
import { readText } from "./read-text.ts";
import { readSavedEvidence, type SavedItem } from "./saved-evidence.ts";
import { type Outcome, verifyAll } from "./verify-all.ts";

interface Checked extends SavedItem {
  outcome: Outcome | null;
}

export async function verifySaved(context: CommandContext, file: string, json: boolean): Promise<void> {
  const items = readSavedEvidence(readText(file, "--from-pack"), file === "-" ? "standard input" : file);
  const connection = await connect(context.environment);
  const asked = items.filter(({ input, fault }) => input !== null && fault === null);
  const outcomes = await verifyAll(
    connection,
    asked.flatMap(({ input }) => (input === null ? [] : [input])),
    context.sleep,
  );
  const checked = items.map((item): Checked => {
    const at = asked.indexOf(item);
    const outcome = at === -1 ? null : (outcomes[at] ?? null);
    const fault = item.fault ?? factFault(item, outcome);
    return { ...item, fault, outcome: fault === null ? outcome : null };
  });
  for (const item of checked) context.exit(exitOf(item));
  context.output.out(json ? `${JSON.stringify(checked.map(asJson), null, 2)}\n` : asText(checked));
}

/** The verdict is on the cited bytes; what else the pack says of the file must hold as well. */
function factFault({ facts }: SavedItem, outcome: Outcome | null): string | null {
  if (facts === null || outcome === null || outcome.error !== null) return null;
  const { status, blobSha, totalLines } = outcome.report;
  if (status === "missing" || status === "blocked") return null;
  if (blobSha !== facts.blobSha) return "its blobSha is not the file's at this commit";
  return totalLines === facts.totalLines ? null : "its totalLines is not the file's at this commit";
}

function exitOf({ outcome }: Checked): 0 | 1 | 2 {
  if (outcome === null) return 1;
  if (outcome.error !== null) return 2;
  return outcome.report.status === "ok" ? 0 : 1;
}

const asJson = ({ where, fault, outcome }: Checked) => ({
  where,
  fault,
  report: outcome?.report ?? null,
  error: outcome?.error?.report() ?? null,
});

function asText(checked: readonly Checked[]): string {
  const lines = checked.map(({ where, cite, fault, outcome }) => {
    const place = where === "" ? "" : `${where}  `;
    if (outcome === null) return printable(`${place}contradicted  ${cite}  ${fault}.`);
    if (outcome.error === null) return `${place}${reportText(outcome.report)}`;
    return printable(`${place}error  ${cite}  ${outcome.error.code}: ${outcome.error.message}`);
  });
  const ok = checked.filter((item) => exitOf(item) === 0).length;
  if (checked.length > 1) lines.push(`${ok} of ${checked.length} ok`);
  return `${lines.join("\n")}\n`;
}
