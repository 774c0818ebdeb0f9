/**
 * Lines around a position, found by scanning line by line. No regular expression runs over a whole file: on hostile
 * text that is quadratic. A BOM is no blank. Positions are UTF-16 units.
 */

const BLANK = /^[ \t\r\n\f]*$/;

const BOM = "\uFEFF";

/** Where the text begins: behind a BOM. */
export const textStart = (text: string): number => (text.startsWith(BOM) ? 1 : 0);

/** Start of the line that holds this position; the first line starts behind a BOM. */
export function lineStart(text: string, at: number): number {
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  return start === 0 && at > 0 ? textStart(text) : start;
}

/** End of the line that holds this position, its line end included. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Indentation of the line a position is on, or null when other code stands before it there. */
export function indentationAt(text: string, at: number): string | null {
  const before = text.slice(lineStart(text, at), at);
  return /^[ \t]*$/.test(before) ? before : null;
}

export const isBlank = (text: string): boolean => BLANK.test(text);

export interface BlankRun {
  /** Where the run of blank lines starts (above) or ends (below). */
  edge: number;
  count: number;
}

/** Blank lines right above a line start. */
export function blankLinesAbove(text: string, at: number): BlankRun {
  let edge = at;
  let count = 0;
  while (edge > 0) {
    const start = lineStart(text, edge - 1);
    if (!isBlank(text.slice(start, edge))) break;
    edge = start;
    count += 1;
  }
  return { edge, count };
}

/** Blank lines from a line start on; blanks at the end of the file without a line end count as a line. */
export function blankLinesBelow(text: string, at: number): BlankRun {
  let edge = at;
  let count = 0;
  while (edge < text.length) {
    const end = lineEnd(text, edge);
    if (!isBlank(text.slice(edge, end))) break;
    edge = end;
    count += 1;
  }
  return { edge, count };
}

/** The last line above a position that is not blank, without its line end; empty at the start of the file. */
export function lineAbove(text: string, at: number): string {
  const { edge } = blankLinesAbove(text, lineStart(text, at));
  return edge === 0 ? "" : text.slice(lineStart(text, edge - 1), edge).replace(/[\r\n]+$/, "");
}

/** Length of the final line end of a text: 0, 1 or 2. */
export const finalLineEnd = (text: string): number =>
  text.endsWith("\r\n") ? 2 : text.endsWith("\n") ? 1 : 0;

/** The one kind of line end that a text has; null when it has none, or both. A CR alone ends no line. */
export function lineEndOf(text: string): "\n" | "\r\n" | null {
  let found: "\n" | "\r\n" | null = null;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    const end = text[at - 1] === "\r" ? "\r\n" : "\n";
    if (found !== null && found !== end) return null;
    found = end;
  }
  return found;
}

/**
 * New text for a place in `body`, an entity of `file`: where all lines there end with CRLF, line ends written as LF alone
 * become CRLF. Text with a CRLF in it is taken literally: whoever writes one sees them. `before` is the character that it
 * is to stand behind.
 */
export function withLineEndsOf(body: string, file: string, text: string, before = ""): string {
  if (!text.includes("\n") || text.includes("\r\n")) return text;
  const lineEnd = body.includes("\n") ? lineEndOf(body) : lineEndOf(file);
  if (lineEnd !== "\r\n") return text;
  // Behind a CR that stays, the LF is the second half of its line end.
  const own = before === "\r" && text.startsWith("\n") ? 1 : 0;
  return text.slice(0, own) + text.slice(own).replaceAll("\n", "\r\n");
}
