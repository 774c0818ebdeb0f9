/**
 * Proof that what stands outside an edit still means what it did: the bytes there are the same, and so is the tree that
 * the grammar makes of them. Refused: statements that would join or part (for want of a `;`), a string that would become a
 * directive, an attribute that would be about something else. Only the tree around the edit is compared: elsewhere the
 * grammar reads the same text from the same state. Earlier faults are nodes like others, and stand where they stood.
 */
import type { Span } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { ShapeNode, SyntaxReader } from "../syntax.ts";
import { rebound } from "./bindings.ts";
import { wishAround } from "./borders.ts";
import type { Step } from "./footprint.ts";
import { type KeptNode, keptShape } from "./kept-shape.ts";
import { lineEnd, lineStart } from "./lines.ts";
import { looseModifiers, type Place } from "./modifiers.ts";
import { refused } from "./outcome.ts";
import { type Regions, regionsOf, withImports } from "./regions.ts";
import type { Spliced } from "./splice.ts";

/** The first nodes that differ; one of them is undefined where the other state has more. */
interface Difference {
  left: KeptNode | undefined;
  right: KeptNode | undefined;
}

/** The edit and both states of the file, with its regions as they are compared. */
interface Edit {
  before: SourceUnit;
  after: SourceUnit;
  steps: readonly Step[];
  regions: Regions;
  wide: { before: Span[]; after: Span[] };
}

/** Throws `footprint_exceeded` with the line whose meaning would change. */
export async function assertStructureStands(
  reader: SyntaxReader,
  before: SourceUnit,
  after: SourceUnit,
  steps: readonly Step[],
  spliced: Spliced,
): Promise<void> {
  const regions = regionsOf(steps, spliced);
  const wide = {
    before: withImports(before, regions.before, steps),
    after: withImports(after, regions.after, steps),
  };
  const edit: Edit = { before, after, steps, regions, wide };
  const loose = rebound(before, after, regions);
  if (loose !== null) throw changes(edit, before, loose, "binding");
  const misread = misreadAt(before, regions.before) ?? misreadAt(after, regions.after);
  if (misread !== null) throw changes(edit, misread.unit, misread.at, "misread");
  const modifiers = looseModifiers(before, after, regions);
  if (modifiers !== null) throw changes(edit, modifiers.unit, modifiers.at, "modifiers");
  const now = after.shape ?? (await shapeAround(reader, after, wide.after));
  const right = keptShape(after, now, wide.after, (at) => at);
  const earlier = (shape: readonly ShapeNode[]) => keptShape(before, shape, wide.before, regions.moved);
  if (before.shape !== null && firstDifference(earlier(before.shape), right) === null) return;
  // The tree was listed before it was known where it is edited; what tells the two apart may not have been opened.
  const left = earlier(await shapeAround(reader, before, wide.before));
  const difference = firstDifference(left, right);
  if (difference === null) return;
  const { left: was, right: is } = difference;
  const role = was !== undefined && is !== undefined && was.leading !== is.leading ? "string" : "statement";
  throw was === undefined ? changes(edit, after, is?.at ?? 0, role) : changes(edit, before, was.at, role);
}

/** Where a region holds or touches what the grammar reads otherwise than the language; null when none does. */
function misreadAt(unit: SourceUnit, regions: readonly Span[]): Place | null {
  for (const { start, end } of unit.outline.misread) {
    if (regions.some((region) => start <= region.end && end >= region.start)) return { unit, at: start };
  }
  return null;
}

async function shapeAround(
  reader: SyntaxReader,
  { spec, source, outline }: SourceUnit,
  regions: readonly Span[],
): Promise<ShapeNode[]> {
  const wish = wishAround(source.text, outline.trivia, regions);
  const { shape } = await reader.read(spec.name, source.text, "", wish);
  if (shape !== null) return shape;
  throw refused(
    "source_refused",
    null,
    "The file holds more statements than are compared around an edit.",
    "Edit the file by other means.",
  );
}

function firstDifference(left: readonly KeptNode[], right: readonly KeptNode[]): Difference | null {
  let at = 0;
  let other = 0;
  while (at < left.length || other < right.length) {
    const was = left[at];
    const is = right[other];
    const different = { left: was, right: is };
    if (was === undefined || is === undefined) return different;
    if (was.type !== is.type || was.depth !== is.depth || was.leading !== is.leading) return different;
    const whole = !was.edited && !is.edited;
    if (whole && was.start === is.start && was.end === is.end && was.descendants === is.descendants) {
      at = behind(left, at);
      other = behind(right, other);
    } else if (was.open && is.open) {
      at += 1;
      other += 1;
    } else return different;
  }
  return null;
}

function behind(nodes: readonly KeptNode[], at: number): number {
  const { depth } = nodes[at] as KeptNode;
  let next = at + 1;
  while (next < nodes.length && (nodes[next] as KeptNode).depth > depth) next += 1;
  return next;
}

const BECAUSE = {
  statement: "it would be read together with other text, or apart from what it belongs to",
  string: "a string there would become a directive or docstring, or cease to be one",
  binding: "it would be about another declaration",
  misread:
    "the grammar used here takes the lines behind an arrow function for part of its statement, the language does not",
  modifiers: "words that stand alone on a line may belong to what follows, and that would be another",
};

/** `at` is a position of `unit`, one of both states. */
function changes({ before, after, steps }: Edit, unit: SourceUnit, at: number, role: keyof typeof BECAUSE) {
  const { text } = unit.source;
  const line = text.slice(lineStart(text, at), lineEnd(text, at)).trim().slice(0, 80);
  const place = `line ${unit.source.lineAt(at)}${unit === after ? " of the resulting file" : ""} (\`${line}\`)`;
  const nearest = [...steps].sort((a, b) => Math.abs(a.start - at) - Math.abs(b.start - at))[0];
  const separate = (role === "statement" || role === "misread") && before.spec.semicolons;
  return refused(
    "footprint_exceeded",
    nearest?.operation ?? null,
    `The edit would change what ${place} of ${before.path} means, though not its text: ${BECAUSE[role]}.`,
    separate
      ? "Separate the statements with `;` first: at the end of the new text, or of the statement above by other means. Or update the declaration around both."
      : "Move or change that line by other means first, or update the declaration around both.",
  );
}
