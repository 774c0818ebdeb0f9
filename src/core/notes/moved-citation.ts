/** A citation whose lines moved, as it should read now, in the form it was found in. */
import { printCite, printHandle } from "../citation/cite.ts";

/** What a report says of the move. */
export interface Move {
  repository: string;
  sourcePath: string;
  freshness: string | null;
  movedTo: { start: number; end: number } | null;
  headCommitSha: string | null;
}

/** Null when the lines did not move. */
export function movedCitation(form: "cite" | "handle", move: Move): string | null {
  const { freshness, movedTo, headCommitSha, repository, sourcePath } = move;
  if (freshness !== "moved" || movedTo === null || headCommitSha === null) return null;
  const place = { repository, sourcePath, sha: headCommitSha, line: movedTo.start, lineEnd: movedTo.end };
  return form === "handle" ? printHandle(place) : printCite(place);
}
