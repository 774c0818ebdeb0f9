/** Puts new citations in the place of found ones; every other character of the notes stays as it is. */
import { GitpinError } from "../../errors.ts";

export interface Replacement {
  /** Where the found text stands, and what it is: a check that these are the notes it was found in. */
  found: { start: number; end: number; text: string };
  by: string;
}

/** In whatever order the replacements come. Throws `invalid_argument` when one does not fit, and then changes nothing. */
export function rewriteCitations(notes: string, replacements: readonly Replacement[]): string {
  const sorted = [...replacements].sort((left, right) => left.found.start - right.found.start);
  const pieces: string[] = [];
  let at = 0;
  for (const { found, by } of sorted) {
    if (found.start < at) throw misfit("two replacements overlap", found.start);
    if (found.text === "" || notes.slice(found.start, found.end) !== found.text) {
      throw misfit("the notes do not hold the found text there", found.start);
    }
    pieces.push(notes.slice(at, found.start), by);
    at = found.end;
  }
  return pieces.join("") + notes.slice(at);
}

function misfit(what: string, offset: number): GitpinError {
  return new GitpinError(
    "invalid_argument",
    `The replacement at offset ${offset} cannot be made: ${what}.`,
    "Find the citations again in the very text that is to be rewritten, and name each once.",
    { field: "replacements", offset },
  );
}
