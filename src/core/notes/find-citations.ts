/**
 * Every citation in prose or Markdown, in both forms, and everything that clearly tries to be one, so that a gate cannot
 * be passed by a typing error. Owns locating; what one citation means is read by `core/citation/parse.ts`.
 *
 * A note's citation has a full commit id and a path: abbreviations and the root directory are malformed here, though
 * tools take them. Placeholders in the place of the commit id (`fullSha`, `<sha>`) explain a form and are passed over.
 * Time grows with the length of the text only, whatever it holds.
 */
import { GitpinError } from "../../errors.ts";
import { parseCitation } from "../citation/parse.ts";
import { citeCandidates } from "./cite-candidates.ts";
import { codeSpans } from "./code-spans.ts";
import type { Candidate, Finding } from "./finding.ts";
import { handleCandidates } from "./handle-candidates.ts";

/** All findings in the order of the text; they do not overlap. */
export function findCitations(notes: string): Finding[] {
  const spans = codeSpans(notes);
  const handles = handleCandidates(notes, spans);
  const candidates = [...handles, ...citeCandidates(notes, spans, handles)];
  const positionOf = positions(notes);
  return candidates
    .sort((left, right) => left.start - right.start)
    .map((candidate) => {
      const { start, end } = candidate;
      return { text: notes.slice(start, end), start, end, ...positionOf(start), ...reading(candidate) };
    });
}

function reading(candidate: Candidate) {
  if ("fault" in candidate) return { kind: "malformed", reason: candidate.fault } as const;
  try {
    return { kind: "citation", citation: parseCitation(candidate.form) } as const;
  } catch (error) {
    if (error instanceof GitpinError) return { kind: "malformed", reason: error.message } as const;
    throw error;
  }
}

/** Line and column of offsets asked in rising order. */
function positions(notes: string): (offset: number) => { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  let next = notes.indexOf("\n");
  return function positionOf(offset) {
    while (next !== -1 && next < offset) {
      line += 1;
      lineStart = next + 1;
      next = notes.indexOf("\n", lineStart);
    }
    return { line, column: offset - lineStart + 1 };
  };
}
