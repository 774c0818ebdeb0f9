/**
 * Code spans of Markdown, within one line: the text between two runs of equally many backquotes (CommonMark 6.1).
 * A span marks out its text exactly, so a path in it may hold characters that end a citation elsewhere.
 */

/** Content offsets, end exclusive, without the backquotes. */
export interface CodeSpan {
  start: number;
  end: number;
}

/** All spans, in order. Reads the text once. */
export function codeSpans(notes: string): CodeSpan[] {
  const spans: CodeSpan[] = [];
  let line: Run[] = [];
  for (const match of notes.matchAll(/`+|\n/g)) {
    if (match[0] === "\n") {
      pairRuns(line, spans);
      line = [];
    } else line.push({ at: match.index, length: match[0].length });
  }
  pairRuns(line, spans);
  return spans;
}

interface Run {
  at: number;
  length: number;
}

/** Each run opens a span that the next run of its length closes; runs between them are text. */
function pairRuns(runs: readonly Run[], spans: CodeSpan[]): void {
  const nextOfLength = new Map<number, number>();
  const closing = new Array<number | undefined>(runs.length);
  for (let n = runs.length - 1; n >= 0; n -= 1) {
    const length = runs[n]?.length ?? 0;
    closing[n] = nextOfLength.get(length);
    nextOfLength.set(length, n);
  }
  for (let n = 0; n < runs.length; n += 1) {
    const [opener, closer] = [runs[n], runs[closing[n] ?? -1]];
    if (opener === undefined || closer === undefined) continue;
    spans.push({ start: opener.at + opener.length, end: closer.at });
    n = closing[n] ?? n;
  }
}

/** Answers which span an offset stands in, for offsets asked in rising order. */
export function spanReader(spans: readonly CodeSpan[]): (offset: number) => CodeSpan | null {
  let n = 0;
  return function spanAt(offset) {
    while ((spans[n]?.end ?? Number.POSITIVE_INFINITY) <= offset) n += 1;
    const span = spans[n];
    return span !== undefined && span.start <= offset ? span : null;
  };
}
