/**
 * Files whose text holds the words of a name, by the exact search over the commit's archive: no other file can declare it.
 * Where the archive is too large, GitHub's code search names candidates, and that it may name too few is said.
 * The bytes of the files that are wanted first are kept on the way, so that the archive is read once.
 */
import type { ArchiveFile } from "../../core/archive/archive-file.ts";
import { holdsWord, type WordForm } from "../../core/entity/name-query.ts";
import { SOURCE_BYTES } from "../../core/entity/source-text.ts";
import { parseQuery } from "../../core/search/query.ts";
import { runSearch, type SearchOutcome } from "../../core/search/search-run.ts";
import { WorkBudget } from "../../core/search/work-budget.ts";
import { GitpinError } from "../../errors.ts";
import { inArchive } from "./archived.ts";
import type { EntityPlace } from "./place.ts";
import type { SelectedFile } from "./selection.ts";

export interface HoldingFile {
  file: SelectedFile;
  /** Each word stands there as a whole word with its case: an exact name can be there only. */
  asWritten: boolean;
  bytes: Uint8Array | null;
}

export interface Holding {
  /** In git's order; those too large to be parsed are among them. */
  files: HoldingFile[];
  /** Why a file that holds the words may not be among them. */
  gaps: string[];
}

export interface Sought {
  /** The longest first; one at least. */
  words: readonly string[];
  form: WordForm;
  /** Whether the bytes of this one shall be kept. */
  keep(holding: HoldingFile): boolean;
}

export async function filesHolding(
  place: EntityPlace,
  files: readonly SelectedFile[],
  sought: Sought,
): Promise<Holding> {
  try {
    const { result } = await place.reader.files(place.commit, (archive) =>
      searched(place, archive, files, sought),
    );
    return result;
  } catch (error) {
    if (!(error instanceof GitpinError) || error.code !== "archive_too_large") throw error;
    try {
      return await named(place, files, sought);
    } catch (other) {
      // That the archive is too large is the reason; that the substitute fails too is no better one.
      throw other instanceof GitpinError && other.code === "code_search_unsupported" ? error : other;
    }
  }
}

async function searched(
  { commit, pause }: EntityPlace,
  archive: AsyncIterable<ArchiveFile>,
  files: readonly SelectedFile[],
  { words: [longest = "", ...others], form, keep }: Sought,
): Promise<Holding> {
  const selected = inArchive(files);
  const holdsOthers = others.map((word) => holdsWord(word, form));
  const asWritten = [longest, ...others].map((word) => holdsWord(word, "whole"));
  const found: HoldingFile[] = [];
  async function* sources(): AsyncGenerator<ArchiveFile> {
    for await (const file of archive) if (selected(file) !== null) yield file;
  }
  const whole = form === "whole";
  const query = parseQuery({ query: longest, caseSensitive: whole, wholeWord: whole, answer: "count" });
  const outcome = await runSearch(sources(), query, {
    commit: commit.sha,
    // What policy denies was not selected.
    denied: () => false,
    work: new WorkBudget(pause),
    matched(archived) {
      const file = selected(archived);
      if (file === null) return;
      const { bytes, size } = archived;
      const parsable = bytes !== null && size <= SOURCE_BYTES;
      if (parsable && !holdsOthers.every((holds) => holds(bytes))) return;
      const holding = { file, asWritten: !parsable || asWritten.every((holds) => holds(bytes)), bytes: null };
      found.push(parsable && keep(holding) ? { ...holding, bytes: bytes.slice() } : holding);
    },
  });
  return { files: found, gaps: gapsOf(outcome) };
}

const GAP_TEXT: Partial<Record<SearchOutcome["skipped"][number]["reason"], string>> = {
  line_too_long: "hold a line too long to be searched",
  missing: "differ from the archive and were not searched",
  too_costly: "cost more work than one search may",
};

function gapsOf({ skipped, stoppedAt }: SearchOutcome): string[] {
  const gaps = skipped.flatMap(({ reason, count }) => {
    const text = GAP_TEXT[reason];
    return text === undefined ? [] : [`${count} ${count === 1 ? "file" : "files"}: ${text}.`];
  });
  if (stoppedAt === null) return gaps;
  return [...gaps, `The work of one search ran out at ${stoppedAt}: narrow it with path or language.`];
}

async function named(
  { reader }: EntityPlace,
  files: readonly SelectedFile[],
  { words }: Sought,
): Promise<Holding> {
  const { paths } = await reader.codeSearch(words);
  const candidates = new Set(paths);
  return {
    files: files
      .filter(({ entry }) => candidates.has(entry.path))
      .map((file) => ({ file, asWritten: true, bytes: null })),
    gaps: [
      "The commit's archive is too large to be searched, so only files that GitHub's code search named were looked at; it sees the default branch, lags behind it, and leaves out large files.",
    ],
  };
}
