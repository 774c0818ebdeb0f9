/**
 * Where a created declaration goes and with how many blank lines around it. One blank line between neighbours (two at
 * the top of a Python file); one-line constants and types stay together with one-line neighbours of their kind.
 */
import { codeEnd } from "../code-edge.ts";
import type { Declaration } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { Step } from "./footprint.ts";
import { blankLinesBelow, indentationAt, isBlank, lineEnd } from "./lines.ts";
import { endWithComment } from "./remove.ts";
import type { Splice } from "./splice.ts";

/** Kinds that are listed one under the other when each takes one line. */
const LISTED = new Set(["const", "var", "let", "static", "type", "field"]);

/** `body` is at its depth already; its first line may carry the indentation. */
export function insertionBehind(
  unit: SourceUnit,
  anchor: Declaration,
  body: string,
  kinds: readonly string[],
): Splice {
  const { text, lineEnding } = unit.source;
  const at = endWithComment(unit, anchor.statement.end);
  const nested = (indentationAt(text, anchor.statement.start) ?? "") !== "";
  const oneLine = !body.includes("\n") && !text.slice(anchor.span.start, anchor.span.end).includes("\n");
  const listed = oneLine && !anchor.grouped && LISTED.has(anchor.kind) && kinds.includes(anchor.kind);
  const blank = listed ? 0 : nested ? 1 : unit.spec.blankLines;
  const gapAbove = lineEnding.repeat(blank + 1);
  return { start: at, end: at, text: gapAbove + body + gapBelow(unit, at, listed ? 0 : blank) };
}

/** As the last member of an owner; `body` is at its depth already. */
export function insertionInside(unit: SourceUnit, owner: Declaration, body: string): Splice {
  const { text, lineEnding } = unit.source;
  const brace = closingBrace(unit, owner);
  if (brace === null) {
    const commented = endWithComment(unit, owner.core.end);
    const closed =
      /^[ \t]*;/.exec(text.slice(owner.core.end, lineEnd(text, owner.core.end)))?.[0].length ?? 0;
    const at = Math.max(commented, owner.core.end + closed);
    return { start: at, end: at, text: lineEnding.repeat(2) + body };
  }
  const content = text.slice(owner.core.start, brace).trimEnd();
  const at = owner.core.start + content.length;
  const gap = content.endsWith("{") ? 1 : 2;
  const sameLine = !text.slice(at, brace).includes("\n");
  const outdent = sameLine ? lineEnding + (indentationAt(text, owner.core.start) ?? "") : "";
  return { start: at, end: sameLine ? brace : at, text: lineEnding.repeat(gap) + body + outdent };
}

/** Where the brace stands that closes an owner; null in Python, whose bodies have none. */
function closingBrace({ spec, source, outline }: SourceUnit, { core }: Declaration): number | null {
  if (spec.name === "python") return null;
  // The grammar of JavaScript counts a comment behind a class to the class.
  let end = codeEnd(source.text, outline.trivia, core.end);
  while (end > core.start && /[\s;]/.test(source.text.charAt(end - 1))) end -= 1;
  return source.text[end - 1] === "}" ? end - 1 : null;
}

/**
 * The steps of a file, of creations at one place the deeper one first: a member ends where its owner does, and what
 * follows the owner would part it from one that came later. All others stay in their order.
 */
export function deeperFirst(steps: readonly Step[]): Step[] {
  const isCreation = ({ start, end, purpose }: Step) => purpose.effect === "create" && start === end;
  const depth = ({ text }: Step): number => /^\s*?([ \t]*)(?=[^\s]|$)/.exec(text)?.[1]?.length ?? 0;
  const order = [...steps];
  const places = steps.flatMap((step, index) => (isCreation(step) ? [index] : []));
  const sorted = places
    .map((index) => steps[index] as Step)
    .sort((a, b) => a.start - b.start || depth(b) - depth(a));
  for (const [at, index] of places.entries()) order[index] = sorted[at] as Step;
  return order;
}

/** Line ends to add behind the new text, so that what follows keeps its distance. */
function gapBelow(unit: SourceUnit, at: number, blank: number): string {
  const { text, lineEnding } = unit.source;
  const end = lineEnd(text, at);
  // Code on the same line moves to a line of its own.
  if (!isBlank(text.slice(at, end))) return lineEnding;
  const below = blankLinesBelow(text, end);
  if (below.edge === text.length) return "";
  const closes = /^[ \t]*[})\]]/.test(text.slice(below.edge, lineEnd(text, below.edge)));
  const dedents = unit.spec.name === "python" && below.count >= blank;
  if (closes || dedents) return "";
  return lineEnding.repeat(Math.max(0, blank - below.count));
}

/** Appends at the end of a file: the language's gap above, one line end behind. */
export function appended(unit: SourceUnit, body: string, lineEnding = unit.source.lineEnding): Splice {
  const { text } = unit.source;
  const end = text.replace(/^\uFEFF/, "").trimEnd() === "" ? text.length : text.trimEnd().length;
  const gap = end === text.length && isBlank(text.replace(/^\uFEFF/, "")) ? 0 : unit.spec.blankLines + 1;
  return { start: end, end: text.length, text: lineEnding.repeat(gap) + body + lineEnding };
}
