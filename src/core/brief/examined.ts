/** What a brief and a coverage are made from: repositories as they were examined, by whoever could read them. */
import type { Citation } from "../../schema/citation.ts";
import type { ObjectId } from "../git/object-id.ts";

/** One expected document of one repository. */
export interface ExaminedDocument {
  sourcePath: string;
  state: "found" | "missing" | "blocked";
  /** Of the whole file; null unless found. */
  citation: Citation | null;
  /** First heading, as written; null where there is none or the file was not read. */
  title: string | null;
  totalLines: number | null;
}

export interface ExaminedRepository {
  repository: string;
  commitSha: ObjectId;
  /** Ref that HEAD stands for. */
  ref: string | null;
  documents: readonly ExaminedDocument[];
}

/** A repository that could not be examined (an upstream failure), or was left out by a bound. */
export interface UnexaminedRepository {
  repository: string;
  reason: string;
}

/** How many of these an answer names; of the rest it says how many there are. */
export const UNEXAMINED_NAMED = 20;

export interface ExaminedChange {
  status: "A" | "M" | "D" | "T" | "R";
  sourcePath: string;
  /** For R. */
  previousPath: string | null;
  /** At head; for D, at base. */
  citation: Citation;
}

export interface ExaminedRange {
  repository: string;
  base: ObjectId;
  head: ObjectId;
  /** In git's order; the first `BRIEF_CHANGES` are enough. */
  changes: readonly ExaminedChange[];
  /** How many paths differ in all. */
  total: number;
}
