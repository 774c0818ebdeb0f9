/**
 * The body of a class, `impl` or trait: how deep its members stand, and whether it has lines of its own. Owns what is
 * asked of the grammar for that; depth is that of the body's own statements, never of what a block in it holds.
 */
import { type Declaration, type Span, within } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { LanguageName } from "../language/spec.ts";
import type { Capture, SyntaxReader } from "../syntax.ts";
import { indentationAt } from "./lines.ts";
import { refused } from "./outcome.ts";

const CLASS_BODY = "(class_body) @body (class_body (_) @member)";
const BODIES: Partial<Record<LanguageName, string>> = {
  python: "(class_definition body: (block) @body) (class_definition body: (block (_) @member))",
  javascript: CLASS_BODY,
  typescript: CLASS_BODY,
  tsx: CLASS_BODY,
  rust: "(declaration_list) @body (declaration_list (_) @member)",
};
/** A line at the margin that opens a block, with the indentation of the next one. */
const FIRST_STEP = /^\S[^\n]*[:{][ \t]*\r?\n([ \t]+)\S/m;
/** UTF-16 units that the file's step of indentation is looked for in. */
const STEP_UNITS = 100_000;

/** Indentation of an owner's members: that of the first one on a line of its own, else one step more than its own. */
export async function memberIndentation(
  reader: SyntaxReader,
  unit: SourceUnit,
  owner: Declaration,
  operation: number,
): Promise<string> {
  const { text } = unit.source;
  const own = indentationAt(text, owner.core.start) ?? "";
  for (const { start } of await membersOf(reader, unit, owner)) {
    const held = indentationAt(text, start);
    if (held !== null && held.length > own.length) return held;
    if (unit.spec.name !== "python") continue;
    throw refused(
      "placement_refused",
      operation,
      `The body of ${owner.qualifiedName} stands on the line of its head, where no method can follow.`,
      "Update the class: send it whole, with its body on lines of its own.",
    );
  }
  return own + stepOf(unit);
}

async function membersOf(reader: SyntaxReader, unit: SourceUnit, owner: Declaration): Promise<Span[]> {
  const query = BODIES[unit.spec.name];
  if (query === undefined) return [];
  const reading = await reader.read(unit.spec.name, unit.source.text, query);
  const captures = reading.matches.flat().filter((capture) => within(capture, owner.core));
  // What the head holds ends before the body, and what the body holds starts behind its start.
  const body = captures
    .filter(({ name }) => name === "body")
    .reduce<Capture | null>((held, one) => (held === null || isOuter(one, held) ? one : held), null);
  if (body === null) return [];
  return captures
    .filter((one) => one.name === "member" && one.type !== "comment" && within(one, body))
    .sort((a, b) => a.start - b.start);
}

const isOuter = (one: Span, held: Span): boolean =>
  one.end > held.end || (one.end === held.end && one.start < held.start);

function stepOf({ spec, source }: SourceUnit): string {
  const step = FIRST_STEP.exec(source.text.slice(0, STEP_UNITS))?.[1];
  if (step !== undefined) return step.startsWith("\t") ? "\t" : step;
  return spec.name === "python" || spec.name === "rust" ? "    " : "  ";
}
