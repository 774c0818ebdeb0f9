/** A search as lines that a person can read, as `git grep -n` prints them, with what was searched behind. */
import { soughtText } from "../core/citation/absence-text.ts";
import { printable } from "../core/printable.ts";
import type { SearchResult } from "../schema/search.ts";

export function searchText(result: SearchResult): string {
  const hits = result.candidates.map(({ repository, sourcePath, line, text }) =>
    printable(`${repository}:${sourcePath}:${line}:${text}`),
  );
  const files = result.files.map(({ repository, sourcePath, matchingLines }) =>
    printable(`${repository}:${sourcePath}:${matchingLines}`),
  );
  const rows = result.repositories.flatMap((row) => {
    const { filesSearched, bytesSearched, matchingLines, matchingFiles } = row.totals;
    const at = `${row.repository}@${row.commitSha ?? "-"}`;
    if (row.status !== "ok") return [printable(`# ${row.status}  ${at}  ${row.reason ?? ""}`)];
    const state = row.complete ? "complete" : `incomplete: ${row.incompleteBecause.join(" ")}`;
    const found = `${matchingLines} lines in ${matchingFiles} files`;
    const skipped = row.skipped.map(({ reason, count }) => `${count} ${reason}`).join(", ");
    const submodules =
      row.submodules.length === 0 ? [] : [`# not searched: ${row.submodules.length} submodules  ${at}`];
    return [
      `# ${found}; searched ${filesSearched} files, ${bytesSearched} bytes  ${at}  ${state}`,
      ...(skipped === "" ? [] : [`# skipped files: ${skipped}  ${at}`]),
      ...submodules,
      ...(row.reason === null ? [] : [`# ${row.reason}`]),
      ...(row.absence === null ? [] : [`# absent: ${soughtText(row.absence)}  ${row.absence.handle}`]),
    ].map(printable);
  });
  const rest =
    result.notSearchedCount === 0 ? [] : [`# ${result.notSearchedCount} repositories not searched`];
  return [...hits, ...files, ...rows, ...rest].join("\n");
}
