/**
 * The gate for notes, over REST only (`POST /v1/verify-cites`): no tool of MCP, for a model sends citations, not files.
 * Words of its report as text and as Markdown; the work is `service/verify-notes.ts`.
 */

import { printable } from "../core/printable.ts";
import type { Call } from "../ports/call.ts";
import {
  type CheckedCitation,
  type CitationsReport,
  citationsReport,
  NOTES,
} from "../schema/citations-report.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { verifyNotes } from "../service/verify-notes.ts";
import { setStatus } from "./http-status.ts";

export interface NotesGate {
  /** The report is of `output`, and of nothing beyond it. */
  check(notes: string, call: Call): Promise<CitationsReport>;
  output: typeof citationsReport;
  httpStatus(report: CitationsReport): 200 | 409;
  text(report: CitationsReport): string;
  markdown(report: CitationsReport): string;
}

export const notesGate = (ports: ServicePorts): NotesGate => ({
  check: async (notes, call) => citationsReport.parse(await verifyNotes(ports, notes, call)),
  output: citationsReport,
  httpStatus: (report) => setStatus(report.status),
  text: reportText,
  markdown: reportMarkdown,
});

/** `3 citations: 1 ok (1 moved), 1 not ok, 1 malformed` */
function summaryText({ summary }: CitationsReport): string {
  const { citations, ok, moved, notOk, malformed, unchecked, beyondLimit } = summary;
  const parts = [
    `${ok} ok${moved > 0 ? ` (${moved} moved)` : ""}`,
    ...(notOk > 0 ? [`${notOk} not ok`] : []),
    ...(malformed > 0 ? [`${malformed} malformed`] : []),
    ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
    ...(beyondLimit > 0
      ? [`${beyondLimit} beyond the first ${NOTES.citations}, not checked: split the notes`]
      : []),
  ];
  return `${citations} ${citations === 1 ? "citation" : "citations"}: ${parts.join(", ")}`;
}

const oneLine = (text: string): string => printable(text.replace(/\s+/g, " "));

const wordOf = ({ verdict, movedTo, report }: CheckedCitation): string =>
  movedTo !== null ? "ok moved" : `${verdict}${report?.freshness ? ` ${report.freshness}` : ""}`;

function reportText(report: CitationsReport): string {
  const lines = report.citations.map((one) => {
    const now = one.movedTo === null ? "" : `  now ${one.movedTo}`;
    return oneLine(`${one.line}:${one.column}  ${wordOf(one)}  ${one.text}  ${one.reason}${now}`);
  });
  return [...lines, `${report.status}  ${summaryText(report)}`].join("\n");
}

/** Text of notes and repositories must stay text in a table of Markdown: no markup, no new cell, no link. */
const cell = (text: string): string =>
  oneLine(text).replace(/[\\`*_{}[\]()<>#+.!|~&@:-]/g, (mark) => `&#${mark.charCodeAt(0)};`);

function reportMarkdown(report: CitationsReport): string {
  const rows = report.citations.map((one) => {
    const now = one.movedTo === null ? "" : ` Now: ${one.movedTo}`;
    return `| ${one.line}:${one.column} | ${wordOf(one)} | ${cell(one.text)} | ${cell(`${one.reason}${now}`)} |`;
  });
  const table =
    rows.length === 0 ? [] : ["", "| place | verdict | citation | reason |", "|---|---|---|---|", ...rows];
  return [`**${report.status}**: ${summaryText(report)}`, ...table].join("\n");
}
