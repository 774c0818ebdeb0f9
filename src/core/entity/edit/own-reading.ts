/**
 * What a language's own tools read in new text and its grammar does not show: refused, because the proofs rest on the
 * grammar. In Python a CR alone ends a line, so that code can follow a comment (Python reference, 2.1.2). Java reads
 * `\u000a` as the character before anything else (JLS 3.3). Comments on the first lines of a file may be about the file: a
 * shebang, Python's encoding (2.1.4), Rust's `//!`, TypeScript's directives. What binds forwards, at the end of new text, is about what follows it.
 */
import { codeStart } from "../code-edge.ts";
import { type Span, within } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { LanguageName } from "../language/spec.ts";
import type { Step } from "./footprint.ts";
import { refused } from "./outcome.ts";

/** Text that a language reads otherwise than its grammar, and what to say of it. */
const READ_OTHERWISE: Partial<Record<LanguageName, { pattern: RegExp; reason: string; nextStep: string }>> = {
  python: {
    pattern: /\r(?!\n)/g,
    reason:
      "The new text holds a carriage return without a line feed, which Python takes for the end of a line, even in a comment or string.",
    nextStep: "End lines with \\n or \\r\\n; in a string write the escape.",
  },
  go: {
    pattern: /\uFEFF/g,
    reason:
      "The new text holds a byte order mark (U+FEFF), which Go refuses everywhere but at the start of a file.",
    nextStep: "Leave it out; in a string write the escape \\uFEFF.",
  },
  java: {
    // Line ends, quotation mark, backslash, and the end of a comment; others end nothing.
    pattern: /(?<!\\)(?:\\\\)*\\u+00(?:0[ad]|22|2[af]|5c)/gi,
    reason:
      "The new text holds a Unicode escape of a line end, a quotation mark, a backslash, `*` or `/`, which Java reads as that character everywhere.",
    nextStep: "Write the character itself, or in a string its short escape.",
  },
};
/** A BOM that begins new text: at the start of a file it would be the file's, elsewhere most languages refuse it. */
const LEADING_BOM = /^[ \t\r\n\f]{0,1000}\uFEFF/;
/** Python reference, 2.1.4 (PEP 263). */
const CODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const NO_CODE = /^[ \t\f]*(?:#.*)?$/;
/** Lines that a comment about the whole file can stand on where it says how to read it. */
const FIRST_LINES = 2;

/** Comments that TypeScript heeds above all code only. */
const ABOVE_CODE = /^(?:\/\/\/[ \t]*<|\/[/*]+[\s*]*@(?:ts-(?:no)?check|jsx\w*)\b)/;

/** `regions` are where the new text of each step stands in `after`. */
export function assertReadAlike(
  before: SourceUnit,
  after: SourceUnit,
  steps: readonly Step[],
  regions: readonly Span[],
): void {
  for (const [index, step] of steps.entries()) {
    const region = regions[index] as Span;
    assertNothingReadOtherwise(before, step);
    if (step.purpose.effect === "edit") assertNotAboutFile(after, step, region);
    if (step.purpose.effect !== "imports") assertNothingBindsForward(after, step, region);
  }
  assertFileReadAlike(before, after, steps);
  assertSameAboveCode(before, after, steps);
}

/** What the first lines say of the whole file stays, also where an edit moves other lines up or down. */
function assertFileReadAlike(before: SourceUnit, after: SourceUnit, steps: readonly Step[]): void {
  if (before.spec.name !== "python") return;
  const told = { before: toldAbout(before.source.text), after: toldAbout(after.source.text) };
  if (told.before === told.after) return;
  throw refused(
    "footprint_exceeded",
    steps[0]?.operation ?? null,
    `The first lines of ${after.path} would tell Python ${told.after}; now they tell ${told.before}.`,
    "Move or take away the comment about the whole file first, by other means.",
  );
}

/** What TypeScript reads above all code stays there, and nothing joins it but in a new file. */
function assertSameAboveCode(before: SourceUnit, after: SourceUnit, steps: readonly Step[]): void {
  if (!before.spec.semicolons || before.source.text.trim() === "") return;
  if (aboveCode(before).join("\n") === aboveCode(after).join("\n")) return;
  throw refused(
    "footprint_exceeded",
    steps[0]?.operation ?? null,
    `Comments above all code of ${after.path} tell how the whole file is read, and they would be others.`,
    "Leave such comments out of the new text, or move them by other means first.",
  );
}

function aboveCode({ source: { text }, outline: { trivia } }: SourceUnit): string[] {
  const end = codeStart(text, trivia, text.startsWith("\uFEFF") ? 1 : 0);
  return trivia
    .filter((span) => span.end <= end)
    .map((span) => text.slice(span.start, span.end).trimEnd())
    .filter((words) => ABOVE_CODE.test(words));
}

/** In words: the encoding, and whether a shell is told how to run the file. */
function toldAbout(text: string): string {
  const [first = "", second = ""] = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/, FIRST_LINES);
  const coding = CODING.exec(first) ?? (NO_CODE.test(first) ? CODING.exec(second) : null);
  const name = (coding?.[1] ?? "utf-8").toLowerCase().replaceAll("_", "-");
  const encoding = /^utf-?8(?:-|$)/.test(name) ? "utf-8" : name;
  return `the encoding ${encoding}${first.startsWith("#!") ? ` and a shell ${first.slice(0, 80)}` : ""}`;
}

function assertNothingReadOtherwise({ spec, source }: SourceUnit, step: Step): void {
  if (LEADING_BOM.test(step.text)) {
    throw refused(
      "footprint_exceeded",
      step.operation,
      "The new text begins with a byte order mark (U+FEFF).",
      "Send the text without it.",
    );
  }
  const otherwise = READ_OTHERWISE[spec.name];
  if (otherwise === undefined) return;
  const { pattern, reason, nextStep } = otherwise;
  const count = (text: string): number => text.match(pattern)?.length ?? 0;
  // What stood there before is not this edit's doing.
  if (count(step.text) <= count(source.text.slice(step.start, step.end))) return;
  throw refused("footprint_exceeded", step.operation, reason, nextStep);
}

function assertNothingBindsForward(after: SourceUnit, step: Step, region: Span): void {
  const { spec, source, outline, located } = after;
  if (spec.binds === undefined) return;
  const ends = located.flatMap(({ declaration: { core, statement } }) =>
    [core, statement].filter((span) => within(span, region)).map(({ end }) => end),
  );
  const declared = ends.reduce((last, end) => Math.max(last, end), region.start);
  const found = outline.trivia.find(
    ({ start, end }) =>
      start >= declared && start < region.end && spec.binds?.test(source.text.slice(start, end)),
  );
  if (found === undefined || ends.length === 0) return;
  throw aboutAnother(source.text, found, step, "ends with", "would be about what follows");
}

function aboutAnother(text: string, { start, end }: Span, step: Step, place: string, about: string) {
  const words = text.slice(start, end).trimEnd();
  return refused(
    "footprint_exceeded",
    step.operation,
    `The new text ${place} ${JSON.stringify(words.slice(0, 80))}, which ${about}.`,
    "Leave it out: only the declaration is edited.",
  );
}

function assertNotAboutFile({ spec, source, outline }: SourceUnit, step: Step, region: Span): void {
  if (source.lineAt(region.start) > FIRST_LINES) return;
  const found = outline.trivia.find((span) => {
    if (!within(span, region) || source.lineAt(span.start) > FIRST_LINES) return false;
    const words = source.text.slice(span.start, span.end);
    return (words.startsWith("#!") && span.start < 2) || spec.detached?.test(words) === true;
  });
  if (found === undefined) return;
  throw aboutAnother(source.text, found, step, "begins with", "is about the whole file");
}
