/**
 * Prints the two forms of a citation: `cite` for people, `handle` for machines. `parse.ts` reads both back.
 * The root directory is the empty path: `repo/ @ sha`, `gitpin:repo@sha:`.
 */
import { encodePath } from "./encode-path.ts";

/** What a citation points at. */
export interface CitedPlace {
  /** Registry name. */
  repository: string;
  sourcePath: string;
  /** Full commit id; `parseCitation` also lets 7 to 39 digits through. */
  sha: string;
  /** First line, 1-based; null for the whole file or a directory. */
  line: number | null;
  /** Last line, inclusive; equal to `line` for one line, null with it. */
  lineEnd: number | null;
}

/** `repo/path:line @ fullSha`, `repo/path:a-b @ fullSha`, `repo/path @ fullSha`. */
export const printCite = (place: CitedPlace): string =>
  `${place.repository}/${encodePath(place.sourcePath)}${lineSuffix(place)} @ ${place.sha}`;

/** `gitpin:repo@fullSha:path[:line[-end]]`. */
export const printHandle = (place: CitedPlace): string =>
  `gitpin:${place.repository}@${place.sha}:${encodePath(place.sourcePath)}${lineSuffix(place)}`;

/** `repo@fullSha`. */
export const printRepoAtSha = (repository: string, sha: string): string => `${repository}@${sha}`;

function lineSuffix({ line, lineEnd }: CitedPlace): string {
  if (line === null) return "";
  return lineEnd === null || lineEnd === line ? `:${line}` : `:${line}-${lineEnd}`;
}
