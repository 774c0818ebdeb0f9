/**
 * The cited bytes as a table of numbered lines: the numbers are row headings, left out when a reader copies. Bounded: so many
 * lines, so many characters of one; what was left out is said. Hidden characters are shown (`visible.ts`).
 */
import { html } from "hono/html";
import type { EvidenceSlice } from "../../schema/evidence.ts";
import type { Markup } from "./layout.ts";
import { visible } from "./visible.ts";

export const PAGE_LIMITS = { bytes: 65_536, lines: 1000, lineUnits: 2000 } as const;

export interface NumberedLine {
  number: number;
  /** Without its terminator. */
  text: string;
  /** More of it was left out. */
  cut: boolean;
}

export interface ShownLines {
  lines: NumberedLine[];
  /** In a sentence, what is not shown; null when all is. */
  leftOut: string | null;
}

/** Lines of a slice that is text; none for another one. */
export function shownLines({ content, encoding, range, truncated }: EvidenceSlice): ShownLines {
  if (content === null || encoding !== "utf-8" || range === null) return { lines: [], leftOut: null };
  const all = content.split("\n");
  // The piece behind the last terminator is no line.
  if (all.at(-1) === "") all.pop();
  const lines = all.slice(0, PAGE_LIMITS.lines).map((text, index) => ({
    number: range.start + index,
    text: text.slice(0, PAGE_LIMITS.lineUnits).toWellFormed(),
    cut: text.length > PAGE_LIMITS.lineUnits,
  }));
  const last = lines.at(-1)?.number ?? range.start;
  const long = lines.filter(({ cut }) => cut).length;
  const gaps = [
    ...(last < range.end || truncated
      ? [`Only up to line ${last} of ${range.end} is shown here; the commands below print all of it.`]
      : []),
    ...(long > 0
      ? [
          `${long} long ${long === 1 ? "line is" : "lines are"} cut after ${PAGE_LIMITS.lineUnits} characters.`,
        ]
      : []),
  ];
  return { lines, leftOut: gaps.length === 0 ? null : gaps.join(" ") };
}

export const linesTable = ({ lines, leftOut }: ShownLines): Markup => html`
<div class="lines" role="region" aria-label="Cited lines" tabindex="0"><table>
${lines.map(
  ({ number, text, cut }) =>
    html`<tr id="L${number}"><th scope="row">${number}</th><td>${visible(text)}${cut ? html`<span class="mark">cut</span>` : ""}</td></tr>
`,
)}</table></div>
${leftOut === null ? "" : html`<p class="note">${leftOut}</p>`}`;

/** The same for a shell: `12  text`. Control characters are made visible there, too, by the caller. */
export const linesText = ({ lines, leftOut }: ShownLines, printable: (text: string) => string): string[] => {
  const width = String(lines.at(-1)?.number ?? 0).length;
  return [
    ...lines.map(
      ({ number, text, cut }) =>
        `${String(number).padStart(width)}  ${printable(text)}${cut ? " [cut]" : ""}`,
    ),
    ...(leftOut === null ? [] : [leftOut]),
  ];
};
