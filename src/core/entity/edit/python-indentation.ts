/**
 * Indentation that Python refuses and the grammar reads over: a logical line that is deeper than the one above it though
 * no block opens, or as deep as no line around it; a decorator whose definition stands elsewhere. Also characters that
 * Python refuses and the grammar takes for blanks.
 * Specification: The Python Language Reference, 2.1.5 to 2.1.8. Tabs count to multiples of eight; mixing is not judged.
 */
import type { Span } from "../declaration.ts";
import type { SyntaxFault } from "../syntax.ts";

/** A line of the language: it may go over several of the text, in brackets, strings and behind a backslash. */
interface LogicalLine extends Span {
  column: number;
  /** Ends in a colon outside of brackets. */
  opens: boolean;
}

/** `opaque`: strings and comments, in the order of the text. */
export function indentationFaults(text: string, opaque: readonly Span[]): SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  const fault = ({ start, end }: Span, type: string): void => {
    faults.push({ kind: "error", type, start, end });
  };
  const columns = [0];
  let above: LogicalLine | null = null;
  for (const line of logicalLines(text, opaque)) {
    const top = columns.at(-1) as number;
    if (above !== null && text[above.start] === "@" && line.column !== above.column) {
      fault(line, "indentation other than that of the decorator above");
    } else if (line.column > top && above?.opens !== true) fault(line, "unexpected indentation");
    if (line.column > top) columns.push(line.column);
    else if (line.column < top) {
      while ((columns.at(-1) as number) > line.column) columns.pop();
      if (columns.at(-1) !== line.column) {
        fault(line, "indentation of no line above");
        columns.push(line.column);
      }
    }
    above = line;
  }
  return faults;
}

/**
 * Characters outside of strings and comments that the grammar reads as blanks and Python refuses as not printable: a BOM
 * that is not the file's, blanks of other scripts, controls.
 */
export function invisibleFaults(text: string, opaque: readonly Span[]): SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  let next = 0;
  for (const { index } of text.matchAll(INVISIBLE)) {
    while (next < opaque.length && (opaque[next] as Span).end <= index) next += 1;
    const skipped = opaque[next];
    if (index === 0 && text[0] === "\uFEFF") continue;
    if (skipped !== undefined && skipped.start <= index) continue;
    const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, "0");
    faults.push({ kind: "error", type: `character U+${code}`, start: index, end: index + 1 });
  }
  return faults;
}

const INVISIBLE = /(?![ \t\f\r\n])[\p{Z}\p{Cf}\p{Cc}]/gu;
const BLANKS = /[ \t\f]*/y;
/** What can end a logical line or keep it going; all other text only belongs to it. */
const TELLING = /[()[\]{}:\\\n]|[^\s()[\]{}:\\]+/g;

function* logicalLines(text: string, opaque: readonly Span[]): Generator<LogicalLine> {
  let next = 0;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    BLANKS.lastIndex = at;
    BLANKS.test(text);
    const start = BLANKS.lastIndex;
    const column = columnOf(text.slice(at, start));
    let depth = 0;
    let last = "";
    let end = start;
    at = start;
    while (at < text.length) {
      while (next < opaque.length && (opaque[next] as Span).end <= at) next += 1;
      const skipped = opaque[next];
      if (skipped !== undefined && skipped.start <= at) {
        if (text[skipped.start] !== "#") {
          last = '"';
          end = skipped.end;
        }
        at = skipped.end;
        continue;
      }
      TELLING.lastIndex = at;
      const found = TELLING.exec(text);
      if (found === null) {
        at = text.length;
        break;
      }
      if (skipped !== undefined && found.index >= skipped.start) {
        at = skipped.start;
        continue;
      }
      const [token] = found;
      at = found.index + 1;
      if (token === "\n") {
        if (depth === 0) break;
        continue;
      }
      if (token === "\\" && /^\r?\n/.test(text.slice(at, at + 2))) {
        at = text.indexOf("\n", at) + 1;
        continue;
      }
      if ("([{".includes(token)) depth += 1;
      else if (")]}".includes(token)) depth = Math.max(0, depth - 1);
      last = depth === 0 || token !== ":" ? token : "";
      end = at;
    }
    if (last !== "") yield { start, end, column, opens: last === ":" };
  }
}

function columnOf(blanks: string): number {
  let column = 0;
  for (const blank of blanks) {
    if (blank === "\t") column += 8 - (column % 8);
    else column = blank === "\f" ? 0 : column + 1;
  }
  return column;
}
