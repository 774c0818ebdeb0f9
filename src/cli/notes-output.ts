/**
 * What `verify-cites` prints, in its three formats: lines for people, JSON for programs, annotations for GitHub.
 * Nothing of the notes or of a repository may become a workflow command, so all of it is escaped.
 */

import { printable } from "../core/printable.ts";
import {
  type CheckedFinding,
  type CheckedNotes,
  exitOf,
  movedCitation,
  reasonOf,
  verdictOf,
} from "./notes-report.ts";

export type NotesFormat = "text" | "json" | "github";

export interface NotesSummary {
  citations: number;
  ok: number;
  moved: number;
  notOk: number;
  malformed: number;
  unchecked: number;
}

export function summaryOf(checked: readonly CheckedNotes[]): NotesSummary {
  const all = checked.flatMap(({ findings }) => findings);
  const count = (test: (one: CheckedFinding) => boolean): number => all.filter(test).length;
  return {
    citations: all.length,
    ok: count((one) => exitOf(one) === 0),
    moved: count((one) => movedCitation(one) !== null),
    notOk: count((one) => exitOf(one) === 1 && one.outcome !== null),
    malformed: count((one) => one.outcome === null),
    unchecked: count((one) => exitOf(one) === 2),
  };
}

/** `12 citations: 10 ok (1 moved), 1 not ok, 1 malformed` */
export function summaryText({ citations, ok, moved, notOk, malformed, unchecked }: NotesSummary): string {
  const parts = [
    `${ok} ok${moved > 0 ? ` (${moved} moved)` : ""}`,
    ...(notOk > 0 ? [`${notOk} not ok`] : []),
    ...(malformed > 0 ? [`${malformed} malformed`] : []),
    ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
  ];
  return `${citations} ${citations === 1 ? "citation" : "citations"}: ${parts.join(", ")}`;
}

/** The whole output. `fixed` names the files that were rewritten. */
export function notesOutput(
  format: NotesFormat,
  checked: readonly CheckedNotes[],
  fixed: readonly string[],
): string {
  const summary = summaryOf(checked);
  if (format === "json") return `${JSON.stringify(asJson(checked, summary, fixed), null, 2)}\n`;
  const line = format === "github" ? annotation : textLine;
  const lines = checked.flatMap(({ file, findings }) => findings.flatMap((one) => line(file, one) ?? []));
  return `${[...lines, ...fixed.map((file) => printable(`fixed ${file}`)), summaryText(summary)].join("\n")}\n`;
}

const shownName = (file: string): string => (file === "-" ? "standard input" : file);

function textLine(file: string, one: CheckedFinding): string {
  const { finding, outcome } = one;
  const freshness = outcome?.report?.freshness ?? null;
  const moved = movedCitation(one);
  return printable(
    `${shownName(file)}:${finding.line}:${finding.column}  ${verdictOf(one)}` +
      `${freshness === null ? "" : ` ${freshness}`}  ${finding.text.replace(/\s+/g, " ")}  ${reasonOf(one)}` +
      (moved === null ? "" : `  now ${moved}`),
  );
}

/** Of what is well, only a citation that moved is worth a note. */
function annotation(file: string, one: CheckedFinding): string | null {
  const moved = movedCitation(one);
  if (exitOf(one) === 0 && moved === null) return null;
  const { finding } = one;
  const at = [
    ...(file === "-" ? [] : [`file=${property(file)}`]),
    `line=${finding.line}`,
    `col=${finding.column}`,
    `title=${property(`citation ${moved === null ? verdictOf(one) : "moved"}`)}`,
  ];
  const text = `${finding.text}: ${reasonOf(one)}${moved === null ? "" : ` Now: ${moved}`}`;
  return `::${moved === null ? "error" : "notice"} ${at.join(",")}::${data(text)}`;
}

/** The escapes of GitHub's workflow commands: in messages, and more of them in properties. */
const data = (text: string): string =>
  printable(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const asJson = (checked: readonly CheckedNotes[], summary: NotesSummary, fixed: readonly string[]) => ({
  kind: "citations-report",
  summary,
  fixed,
  files: checked.map(({ file, findings }) => ({
    file,
    citations: findings.map((one) => ({
      line: one.finding.line,
      column: one.finding.column,
      text: one.finding.text,
      verdict: verdictOf(one),
      reason: reasonOf(one),
      movedTo: movedCitation(one),
      report: one.outcome?.report ?? null,
      error: one.outcome?.error?.report() ?? null,
    })),
  })),
});
