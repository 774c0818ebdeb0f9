/**
 * Remove: the whole declaration with its doc comment, decorators and the comment behind it on its line. Between the
 * neighbours one gap is left: one blank line (two where Python keeps two), none where none stood.
 * Refused: what cannot go without changing or breaking its neighbours.
 */
import { type Declaration, type Span, within } from "../declaration.ts";
import type { Located, SourceUnit } from "../entity.ts";
import type { SyntaxReader } from "../syntax.ts";
import {
  blankLinesAbove,
  blankLinesBelow,
  finalLineEnd,
  indentationAt,
  isBlank,
  lineAbove,
  lineEnd,
  lineStart,
  textStart,
} from "./lines.ts";
import { refused } from "./outcome.ts";
import type { Splice } from "./splice.ts";
import { uncovered } from "./uncovered.ts";

export function removalSplice(
  unit: SourceUnit,
  { declaration }: Located,
  operation: number,
  going: readonly Declaration[],
): Splice {
  assertAlone(unit, declaration, operation, going);
  const { text } = unit.source;
  if (declaration.grouped && unit.spec.name !== "go") return fromList(text, declaration.span, operation);
  if (declaration.grouped) assertValuesKept(unit, declaration, operation, going);
  return withLines(unit, declaration.span);
}

/** `var a, b = f()` declares two with one text. */
function assertAlone(
  unit: SourceUnit,
  declaration: Declaration,
  operation: number,
  going: readonly Declaration[],
): void {
  const sharing = unit.located.filter(
    ({ declaration: other }) =>
      other.core.start === declaration.core.start &&
      other.core.end === declaration.core.end &&
      !going.includes(other),
  );
  const other = sharing[0];
  if (other === undefined) return;
  throw refused(
    "remove_refused",
    operation,
    `${declaration.name} shares its declaration with ${other.declaration.name}.`,
    "Remove all names that it declares in one call, and create there those that are to stay.",
  );
}

/** In a Go const group, a spec without a value repeats the one above, and iota counts lines. */
function assertValuesKept(
  unit: SourceUnit,
  declaration: Declaration,
  operation: number,
  going: readonly Declaration[],
): void {
  if (declaration.kind !== "const") return;
  const { text } = unit.source;
  const later = unit.located.filter(
    ({ declaration: other }) =>
      other.statement.start === declaration.statement.start &&
      other.core.start > declaration.core.start &&
      !going.includes(other),
  );
  const implicit = later.some(({ declaration: { core } }) => !text.slice(core.start, core.end).includes("="));
  const counted = /\biota\b/.test(text.slice(declaration.statement.start, declaration.statement.end));
  if (later.length === 0 || !(implicit || counted)) return;
  throw refused(
    "remove_refused",
    operation,
    `Constants below ${declaration.name} take their values from its place in the group.`,
    "Update the constants of the group one by one, or give each its own value first.",
  );
}

/** Blocks that must hold a statement; none in languages that allow empty ones. */
export async function blocksOf(reader: SyntaxReader, { spec, source }: SourceUnit): Promise<Span[]> {
  if (spec.blocks === undefined) return [];
  return (await reader.read(spec.name, source.text, spec.blocks)).matches.flat();
}

/** A Python block must hold a statement; a comment is none. Told by the syntax: text in a string looks like code. */
export function assertBlockKeepsABody(
  { source, outline }: SourceUnit,
  blocks: readonly Span[],
  { span, core }: Declaration,
  operation: number,
): void {
  const around = blocks.filter((block) => within(core, block));
  const block = around.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  if (block === undefined || !isBlank(uncovered(source.text, block, [span, ...outline.trivia]))) return;
  throw refused(
    "remove_refused",
    operation,
    "It is the only statement of its block, which Python forbids to be empty.",
    "Update the class or block around it instead.",
  );
}

/** One declarator of `const a = 1, b = 2`: it goes with one comma. */
function fromList(text: string, span: Span, operation: number): Splice {
  const behind = /^\s*,\s*/.exec(text.slice(span.end))?.[0];
  if (behind !== undefined) return { start: span.start, end: span.end + behind.length, text: "" };
  const before = text.slice(0, span.start).trimEnd();
  if (before.endsWith(",")) {
    return { start: before.slice(0, -1).trimEnd().length, end: span.end, text: "" };
  }
  throw refused(
    "remove_refused",
    operation,
    "It stands in a list of declarations in a way that is not cut apart.",
    "Update the statement instead.",
  );
}

/** The span with its own lines, and a gap that fits what stands above and below. */
function withLines(unit: SourceUnit, span: Span): Splice {
  const { text, lineEnding } = unit.source;
  const ended = endWithComment(unit, span.end);
  const indentation = indentationAt(text, span.start);
  const ownLines = indentation !== null && isBlank(text.slice(ended, lineEnd(text, ended)));
  // Other code stands on its line: only the span goes, with the blanks behind it.
  if (!ownLines) {
    const blanks = /^[ \t]*/.exec(text.slice(span.end, lineEnd(text, span.end)))?.[0].length ?? 0;
    return { start: span.start, end: span.end + blanks, text: "" };
  }
  const above = blankLinesAbove(text, lineStart(text, span.start));
  const below = blankLinesBelow(text, lineEnd(text, ended));
  const atStart = above.edge === textStart(text);
  if (below.edge === text.length) {
    // The file ends as it ended, with or without a final line end.
    const open = finalLineEnd(text) === 0 ? finalLineEnd(text.slice(0, above.edge)) : 0;
    return { start: above.edge - open, end: text.length, text: "" };
  }
  const closes = /^[ \t]*[})\]]/.test(text.slice(below.edge, lineEnd(text, below.edge)));
  const opens = opensBlock(unit, lineAbove(text, above.edge), indentation);
  const gap = atStart || closes || opens ? 0 : gapOf(unit, above.count, below.count);
  return { start: above.edge, end: below.edge, text: lineEnding.repeat(gap) };
}

function gapOf(unit: SourceUnit, above: number, below: number): number {
  if (above === 0 && below === 0) return 0;
  return Math.max(above, below) >= 2 ? unit.spec.blankLines : 1;
}

/** The line above opens the block that the removed declaration was the first of. */
function opensBlock(unit: SourceUnit, line: string, indentation: string): boolean {
  if (unit.spec.name === "python") return indentation !== "" && /:[ \t]*$/.test(line.slice(-200));
  return /[{([]\s*$/.test(line.slice(-200));
}

/** A comment behind the declaration on its line goes with it; so does a `,` or `;` before it. */
export function endWithComment(unit: SourceUnit, end: number): number {
  const { text } = unit.source;
  const behind = /^[ \t]*[;,]?[ \t]*/.exec(text.slice(end, end + 200))?.[0] ?? "";
  const start = end + behind.length;
  const comment = unit.outline.trivia.find((span) => span.start === start);
  if (comment === undefined) return end;
  const words = text.slice(comment.start, comment.end).replace(/[\r\n]+$/, "");
  // A block comment with code behind it, or over several lines, may be about what follows.
  const lineRest = /^[^\n]*/.exec(text.slice(comment.start + words.length))?.[0] ?? "";
  return words.includes("\n") || lineRest.trim() !== "" ? end : comment.start + words.length;
}
