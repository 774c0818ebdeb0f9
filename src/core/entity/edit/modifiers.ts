/**
 * Words of JavaScript and TypeScript that belong to what follows on the next line (`export`, `static`, `declare`), or do
 * not (`async`, `type`), while some grammars read it the other way: nothing is put or taken away behind a line of such words.
 */
import { codeEnd, codeStart } from "../code-edge.ts";
import type { Span } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import { distinct, type Regions } from "./regions.ts";

const WORDS =
  "abstract|accessor|async|await|declare|default|export|get|let|module|namespace|override|private|protected|public|readonly|set|static|type|using";
const ALONE = new RegExp(`^(?:.*[;{}])?\\s*(?:(?:${WORDS})\\s+)*(?:${WORDS})$`);
const LINE_UNITS = 200;

/** A position of one state of the file. */
export interface Place {
  unit: SourceUnit;
  at: number;
}

/** Where such a line stands above an edge of an edit, or opens it; null when it does nowhere. */
export function looseModifiers(before: SourceUnit, after: SourceUnit, regions: Regions): Place | null {
  if (!before.spec.semicolons) return null;
  for (const [unit, spans] of [
    [before, regions.before],
    [after, regions.after],
  ] as const) {
    for (const edge of distinct(spans).flatMap((span) => edgesOf(unit, span))) {
      const at = modifiersAbove(unit, edge);
      if (at !== null) return { unit, at };
    }
  }
  return null;
}

function edgesOf({ source: { text }, outline }: SourceUnit, { start, end }: Span): number[] {
  const behind = codeStart(text, outline.trivia, end);
  const first = codeStart(text, outline.trivia, start);
  if (first >= end) return [behind];
  const firstLineEnd = text.indexOf("\n", first);
  return firstLineEnd < 0 ? [behind, first] : [behind, first, firstLineEnd];
}

function modifiersAbove({ source: { text }, outline }: SourceUnit, edge: number): number | null {
  const code = codeEnd(text, outline.trivia, edge);
  if (!text.slice(code, edge + 1).includes("\n")) return null;
  const line = text.slice(Math.max(text.lastIndexOf("\n", code - 1) + 1, code - LINE_UNITS), code);
  return ALONE.test(line) ? code - 1 : null;
}
