/**
 * Where a created declaration goes and with how many blank lines around it. One blank line between neighbours (two at
 * the top of a Python file); one-line constants and types stay together with one-line neighbours of their kind.
 */
import type { Declaration } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import { isMember } from "./draft.ts";
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
  if (!text.slice(owner.core.start, owner.core.end).endsWith("}")) {
    return { start: owner.core.end, end: owner.core.end, text: lineEnding.repeat(2) + body };
  }
  const brace = owner.core.end - 1;
  const content = text.slice(owner.core.start, brace).trimEnd();
  const at = owner.core.start + content.length;
  const gap = content.endsWith("{") ? 1 : 2;
  const sameLine = !text.slice(at, brace).includes("\n");
  const outdent = sameLine ? lineEnding + (indentationAt(text, owner.core.start) ?? "") : "";
  return { start: at, end: sameLine ? brace : at, text: lineEnding.repeat(gap) + body + outdent };
}

/** Indentation of an owner's members: that of its first one, else one step more than its own. */
export function memberIndentation(unit: SourceUnit, owner: Declaration): string {
  const { text } = unit.source;
  const own = indentationAt(text, owner.core.start) ?? "";
  const inside = unit.located.find(({ declaration }) => isMember(declaration, owner));
  const held = inside === undefined ? null : indentationAt(text, inside.declaration.span.start);
  if (held !== null && held.length > own.length) return held;
  const usual = /^([ \t]+)\S/m.exec(text.slice(0, 100_000))?.[1];
  const step = usual?.startsWith("\t")
    ? "\t"
    : unit.spec.name === "python" || unit.spec.name === "rust"
      ? "    "
      : "  ";
  return own + step;
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
