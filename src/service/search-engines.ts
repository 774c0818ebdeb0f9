/**
 * The two ways a commit is searched. `archive`: every file of the commit, exact and exhaustive. `github`: files that GitHub's
 * code search names, read at the commit, so that every hit is exact but nothing is exhaustive; for commits whose archive is
 * larger than this service streams, or on request. What policy denies is never read by either.
 */
import { type ArchiveFile, heldFile } from "../core/archive/archive-file.ts";
import { rawPathOfText } from "../core/archive/raw-path.ts";
import type { Policy } from "../core/policy/policy.ts";
import { runSearch, type SearchOutcome } from "../core/search/search-run.ts";
import { WorkBudget } from "../core/search/work-budget.ts";
import { GitpinError } from "../errors.ts";
import type { Commit, RepositoryReader } from "../ports/repository-reader.ts";
import type { SearchedRepository } from "../schema/search.ts";
import type { CheckedQuery } from "./search-query.ts";
import { sideBySide } from "./side-by-side.ts";

export interface SearchPlace {
  reader: RepositoryReader;
  commit: Commit;
  policy: Policy;
  pause: () => Promise<void>;
}

export type EngineName = "archive" | "github";

export interface EngineOutcome extends Pick<SearchedRepository, "archive" | "codeSearch" | "proof"> {
  engine: EngineName;
  outcome: SearchOutcome;
  submodules: readonly string[];
  /** Why the engine itself leaves something out; null when it does not. */
  gap: string | null;
}

/** Files and bytes that are read for one search over GitHub's candidates: each is a request. */
const CANDIDATES_READ = { files: 30, bytes: 20_000_000 } as const;

/** Without a wish, the archive; GitHub's code search where that is too large and the query is one it takes. */
export async function searchWith(
  wished: EngineName | undefined,
  place: SearchPlace,
  checked: CheckedQuery,
): Promise<EngineOutcome> {
  if (wished === "github") return await searchCandidates(place, checked);
  try {
    return await searchArchive(place, checked);
  } catch (error) {
    const tooLarge = error instanceof GitpinError && error.code === "archive_too_large";
    if (!tooLarge || wished === "archive" || checked.query.cursor !== null) throw error;
    try {
      return await searchCandidates(place, checked);
    } catch (other) {
      // That the tree is too large is the reason; that the substitute fails too is no better one.
      throw other instanceof GitpinError && other.code === "code_search_unsupported" ? error : other;
    }
  }
}

const run = (files: AsyncIterable<ArchiveFile>, place: SearchPlace, checked: CheckedQuery) =>
  runSearch(checked.documents ? documentsOf(files, place.policy) : files, checked.query, {
    commit: place.commit.sha,
    denied: (path) => !place.policy.decide(path).allowed,
    work: new WorkBudget(place.pause),
  });

/** Documentation that may be shown as such, and denied documentation, which the search counts. */
async function* documentsOf(files: AsyncIterable<ArchiveFile>, policy: Policy): AsyncGenerator<ArchiveFile> {
  for await (const file of files) {
    if (!policy.isDocumentation(file.path)) continue;
    if (policy.exposesDocument(file.path) || !policy.decide(file.path).allowed) yield file;
  }
}

async function searchArchive(place: SearchPlace, checked: CheckedQuery): Promise<EngineOutcome> {
  const { reader, commit } = place;
  const visit = await reader.files(commit, (files) => run(files, place, checked));
  const { from, archiveBytes, replacedFiles, submodules, tree } = visit;
  return {
    engine: "archive",
    outcome: visit.result,
    submodules,
    gap: null,
    archive: { from, bytes: archiveBytes, replacedFiles },
    codeSearch: null,
    proof: { commit: commit.assurance, tree, blob: "hashed" },
  };
}

async function searchCandidates(place: SearchPlace, checked: CheckedQuery): Promise<EngineOutcome> {
  const { query } = checked;
  if (query.mode === "regex") {
    throw new GitpinError(
      "code_search_unsupported",
      "GitHub's code search cannot answer this: it takes words, not regular expressions.",
      "Search for a word with mode literal, or leave engine out.",
      { field: "mode", engine: "github" },
    );
  }
  if (query.cursor !== null) {
    throw new GitpinError(
      "invalid_argument",
      "GitHub's code search has no pages here: its order is not fixed.",
      "Leave cursor out and narrow the query or paths.",
      { field: "cursor" },
    );
  }
  const found = await place.reader.codeSearch(query.query.match(/[\p{L}\p{N}_]+/gu) ?? []);
  const files = await readCandidates(place, found.paths);
  async function* read(): AsyncGenerator<ArchiveFile> {
    yield* files;
  }
  const outcome = await run(read(), place, checked);
  return {
    engine: "github",
    outcome: { ...outcome, nextCursor: null, complete: false },
    submodules: [],
    gap: "Only files that GitHub's code search named were read; it sees the default branch, lags behind it, and leaves out large files.",
    archive: null,
    codeSearch: {
      total: found.total,
      stoppedEarly: found.stoppedEarly,
      candidates: found.paths.length,
      read: files.filter(({ bytes }) => bytes !== null).length,
    },
    proof: { commit: place.commit.assurance, tree: "attested", blob: "hashed" },
  };
}

/** The candidates as they stand at the commit, in git's order. A path that is not there is none. */
async function readCandidates(place: SearchPlace, paths: readonly string[]): Promise<ArchiveFile[]> {
  const { reader, commit, policy } = place;
  let left: number = CANDIDATES_READ.bytes;
  const files = await sideBySide(paths.slice(0, CANDIDATES_READ.files), async (path) => {
    // Denied paths are handed on unread, to be counted.
    if (!policy.decide(path).allowed) return unread(path, "policy");
    const found = await reader.entry(commit, path);
    if (found === null || found.entry.kind === "directory" || found.entry.kind === "submodule") return null;
    const { kind, id, size } = found.entry;
    left -= size ?? 0;
    if (left < 0) return unread(path, `more than ${CANDIDATES_READ.bytes} bytes of candidates`);
    return heldFile({ path, rawPath: rawPathOfText(path), kind }, await reader.blob(id));
  });
  return files.filter((file) => file !== null).sort((one, other) => (one.rawPath < other.rawPath ? -1 : 1));
}

const unread = (path: string, why: string): ArchiveFile => ({
  path,
  rawPath: rawPathOfText(path),
  kind: "file",
  size: 0,
  bytes: null,
  missing: why,
  pieces() {
    throw new Error("this file was not read");
  },
});
