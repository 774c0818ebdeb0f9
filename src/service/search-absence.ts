/**
 * The citation of a search that found nothing. Owns when there is none: something was found, something was left out, or
 * not one file was searched (then the row's reason says why). Verifying asks the same questions.
 */
import { type Absence, printAbsence } from "../core/citation/absence.ts";
import { absenceCommands } from "../core/citation/absence-commands.ts";
import { printRepoAtSha } from "../core/citation/cite.ts";
import type { SearchOutcome } from "../core/search/search-run.ts";
import type { AbsenceCitation } from "../schema/search.ts";
import type { OpenedCommit } from "./commit-gate.ts";
import type { CheckedQuery } from "./search-query.ts";
import type { ServicePorts } from "./service-ports.ts";

/** Null unless the search was complete, looked at a file at least, and found nothing. */
export function absenceOf(
  ports: ServicePorts,
  opened: OpenedCommit,
  treeSha: string,
  { query, documents }: CheckedQuery,
  outcome: SearchOutcome,
): AbsenceCitation | null {
  const { filesSearched, bytesSearched, matchingLines } = outcome.totals;
  if (!outcome.complete || filesSearched === 0 || matchingLines > 0) return null;
  const { entry, commitSha } = opened;
  const { mode, caseSensitive, wholeWord, include, exclude, language } = query;
  const absence: Absence = {
    repository: entry.name,
    sha: commitSha,
    query: query.query,
    mode,
    caseSensitive,
    wholeWord,
    include,
    exclude,
    language,
    documents,
  };
  const denied = outcome.skipped.find(({ reason }) => reason === "denied") ?? { count: 0, paths: [] };
  return {
    handle: printAbsence(absence),
    repoAtSha: printRepoAtSha(entry.name, commitSha),
    verify: absenceCommands(absence, {
      publicUrl: ports.publicUrl,
      needsToken: !opened.open,
      denied: denied.paths.length === denied.count ? denied.paths : null,
    }),
    repository: entry.name,
    commitSha,
    treeSha,
    query: query.query,
    mode,
    caseSensitive,
    wholeWord,
    include: [...include],
    exclude: [...exclude],
    language,
    documents,
    filesSearched,
    bytesSearched,
    filesDenied: denied.count,
  };
}

/** Why a search that left nothing out speaks of no file; null when it searched one, or left something out. */
export function nothingSearched({ complete, totals, skipped }: SearchOutcome): string | null {
  if (!complete || totals.filesSearched > 0) return null;
  const why = skipped.map(({ reason, count }) => `${count} ${reason}`).join(", ");
  return why === ""
    ? "No file was searched, so nothing is known to be absent: this commit has none that the paths and the language select."
    : `No file was searched, so nothing is known to be absent: of the files that are selected, ${why}.`;
}
