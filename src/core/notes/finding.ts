/**
 * What is found in notes. Offsets and columns count UTF-16 units; lines and columns are 1-based, lines end at `\n` only
 * (a `\r` belongs to its line, as everywhere here).
 */
import type { ParsedCitation } from "../citation/parse.ts";

interface Place {
  /** The exact text in the notes, `notes.slice(start, end)`. */
  text: string;
  start: number;
  end: number;
  line: number;
  column: number;
}

export interface FoundCitation extends Place {
  kind: "citation";
  /** Its `sha` has all 40 digits. */
  citation: ParsedCitation;
}

/** A text that clearly tries to be a citation and is none: a gate must fail on it, or a typing error would pass. */
export interface MalformedCitation extends Place {
  kind: "malformed";
  reason: string;
}

export type Finding = FoundCitation | MalformedCitation;

/** A located text, before it is parsed: `form` is what to parse (line breaks made spaces), or `fault` says what is wrong. */
export type Candidate = { start: number; end: number } & ({ form: string } | { fault: string });
