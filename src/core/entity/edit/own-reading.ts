/**
 * What a language's own tools read in new text and its grammar does not show: refused, because the proofs rest on the
 * grammar. In Python a CR alone ends a line, so that code can follow a comment (Python reference, 2.1.2); and comments on
 * the first lines of a file may be about the file: a shebang, Python's encoding (2.1.4), Rust's `//!`.
 */
import { type Span, within } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { Step } from "./footprint.ts";
import { refused } from "./outcome.ts";

const LONE_CR = /\r(?!\n)/g;
/** Lines that a comment about the whole file can stand on where it says how to read it. */
const FIRST_LINES = 2;

/** `regions` are where the new text of each step stands in `after`. */
export function assertReadAlike(
  before: SourceUnit,
  after: SourceUnit,
  steps: readonly Step[],
  regions: readonly Span[],
): void {
  for (const [index, step] of steps.entries()) {
    if (after.spec.name === "python") assertNoNewLoneCr(before.source.text, step);
    if (step.purpose.effect === "edit") assertNotAboutFile(after, step, regions[index] as Span);
  }
}

const count = (text: string): number => text.match(LONE_CR)?.length ?? 0;

function assertNoNewLoneCr(text: string, step: Step): void {
  if (count(step.text) <= count(text.slice(step.start, step.end))) return;
  throw refused(
    "footprint_exceeded",
    step.operation,
    "The new text holds a carriage return without a line feed, which Python takes for the end of a line, even in a comment or string.",
    "End lines with \\n or \\r\\n; in a string write the escape.",
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
  const words = source.text.slice(found.start, found.end).trimEnd();
  throw refused(
    "footprint_exceeded",
    step.operation,
    `The new text begins with ${JSON.stringify(words.slice(0, 80))}, which is about the whole file.`,
    "Leave it out: only the declaration is edited.",
  );
}
