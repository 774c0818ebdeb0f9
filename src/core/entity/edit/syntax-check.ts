/**
 * Which syntax faults an edit brought in. A fault that stood there before does not block: grammars have gaps, so a
 * fault alone says little. Compared by place (moved with the edit) and, inside the edited text, by the faulty text.
 */
import type { Span } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { SyntaxFault, SyntaxReader } from "../syntax.ts";
import { lineEnd, lineStart } from "./lines.ts";
import { type FaultPlace, refused } from "./outcome.ts";
import { indentationFaults, invisibleFaults } from "./python-indentation.ts";
import type { Spliced } from "./splice.ts";
import { uncovered } from "./uncovered.ts";

/** Faults shown to a caller at most; their number is told in the reason. */
const SHOWN = 10;

/** UTF-16 units of a faulty line that are shown at most, and how many of them stand before the fault. */
const EXCERPT = { units: 100, before: 40 };

/** Faults of the grammar, blocks that the language forbids to be empty, and indentation that Python forbids. */
export async function faultsOf(reader: SyntaxReader, unit: SourceUnit): Promise<SyntaxFault[]> {
  const { spec, source, outline } = unit;
  if (spec.blocks === undefined) return outline.faults;
  const reading = await reader.read(spec.name, source.text, `${spec.blocks}\n${spec.literals ?? ""}`);
  const named = (name: string) => reading.matches.flat().filter((capture) => capture.name === name);
  const isEmpty = (block: Span): boolean => {
    const opening = source.text.slice(block.start, block.end).trimStart()[0] ?? "#";
    return opening === "#" && uncovered(source.text, block, outline.trivia).trim() === "";
  };
  const empty = named("block").filter(isEmpty);
  const missing = empty.map(({ start, end }) => ({ kind: "missing" as const, type: "block", start, end }));
  const opaque = [...named("literal"), ...outline.trivia].sort((a, b) => a.start - b.start);
  const own = spec.name === "python" ? pythonFaults(source.text, opaque, outline.faults) : [];
  return [...outline.faults, ...missing, ...own].sort((a, b) => a.start - b.start);
}

/** `seen` are faults of the grammar: what lies in one is not told twice. */
function pythonFaults(text: string, opaque: readonly Span[], seen: readonly SyntaxFault[]): SyntaxFault[] {
  const told = [...opaque, ...seen].sort((a, b) => a.start - b.start);
  return [...indentationFaults(text, opaque), ...invisibleFaults(text, told)];
}

/** Throws `syntax_error` with every new fault; returns the earlier ones that still stand. */
export async function assertNoNewFaults(
  reader: SyntaxReader,
  before: SourceUnit | null,
  after: SourceUnit,
  spliced: Spliced,
  operation: number | null,
): Promise<FaultPlace[]> {
  const earlier = before === null ? [] : await faultsOf(reader, before);
  const now = await faultsOf(reader, after);
  if (!after.outline.faultsComplete || before?.outline.faultsComplete === false) {
    throw refused(
      "syntax_error",
      operation,
      `${after.path} holds more syntax errors than are compared, so it cannot be told which ones this edit brings.`,
      "Mend the file's syntax by other means first.",
    );
  }
  const places = new Set(earlier.map((fault) => spliced.move(fault).start));
  const texts = new Map<string, number>();
  for (const fault of earlier) {
    const key = keyOf(before as SourceUnit, fault);
    texts.set(key, (texts.get(key) ?? 0) + 1);
  }
  const isNew = (fault: SyntaxFault): boolean => {
    const key = keyOf(after, fault);
    const left = texts.get(key) ?? 0;
    if (left > 0) {
      texts.set(key, left - 1);
      return false;
    }
    return !places.has(fault.start);
  };
  const added = now.filter(isNew);
  if (added.length === 0) return now.map((fault) => faultPlace(after, fault));
  // A line at the wrong depth is why the grammar cannot read what is around it.
  const isCause = ({ type }: SyntaxFault) => Number(/indentation/.test(type));
  added.sort((a, b) => isCause(b) - isCause(a));
  const shown = added.slice(0, SHOWN).map((fault) => newFault(after, fault, spliced.regions));
  const first = shown[0] as FaultPlace;
  throw refused(
    "syntax_error",
    operation,
    `${after.path} would hold ${added.length} new syntax error(s), the first at line ${first.line}, column ${first.column}: ${first.problem}.`,
    "Correct the text at that place of the resulting file and send the call again.",
    shown,
  );
}

const keyOf = (unit: SourceUnit, fault: SyntaxFault): string =>
  `${fault.kind}\0${fault.type}\0${unit.source.text.slice(fault.start, fault.end)}`;

/** A fault as callers are told of it. */
export function faultPlace(unit: SourceUnit, fault: SyntaxFault): FaultPlace {
  return {
    path: unit.path,
    line: unit.source.lineAt(fault.start),
    column: unit.source.columnAt(fault.start),
    problem: problemOf(fault),
  };
}

function problemOf({ kind, type }: SyntaxFault): string {
  if (kind === "missing") return type === "block" ? "missing indented block below" : `missing ${type}`;
  return type === "ERROR" ? "unreadable text" : type;
}

/** With the line as the caller sent it: of text that stood there before nothing is shown. */
function newFault(unit: SourceUnit, fault: SyntaxFault, regions: readonly Span[]): FaultPlace {
  const place = faultPlace(unit, fault);
  const region = regions.find(({ start, end }) => start <= fault.start && fault.start <= end);
  if (region === undefined) return place;
  const { text } = unit.source;
  const from = Math.max(region.start, lineStart(text, fault.start), fault.start - EXCERPT.before);
  const to = Math.min(region.end, lineEnd(text, fault.start), from + EXCERPT.units);
  const line = text.slice(from, to).trim();
  return line === "" ? place : { ...place, problem: `${place.problem}, in ${JSON.stringify(line)}` };
}
