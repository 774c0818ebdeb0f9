/**
 * Runs one search over the files of a commit: filter, matcher, page, totals. Owns exhaustiveness: every page searches
 * every file (it is cheap), so that totals and `complete` always speak of the whole commit, not of the page; only a
 * search that runs out of work stops early, says so, and its cursor goes on from there.
 * Refuses the clock and the network: files, work and pauses are passed in. Order is git's (`git ls-tree -r`).
 */
import type { ArchiveFile } from "../archive/archive-file.ts";
import type { RawPath } from "../archive/raw-path.ts";
import type { ObjectId } from "../git/object-id.ts";
import { FileSearch } from "./file-search.ts";
import { HIT_LIMITS, type Hit, type LinePlace, makeHit } from "./hit.ts";
import type { LineMatcher } from "./line-matcher.ts";
import { pathFilter } from "./path-filter.ts";
import { matcherOf, queryDigest, type SearchQuery } from "./query.ts";
import { REGEX_DIALECT } from "./regex-matcher.ts";
import { decodePosition, encodePosition, type SearchPosition } from "./search-cursor.ts";
import { type SearchTotals, type Skipped, Tally } from "./tally.ts";
import { heldBlocks, isBinary, streamedBlocks, type TextBlock } from "./text-blocks.ts";
import type { WorkBudget } from "./work-budget.ts";

export interface SearchScope {
  commit: ObjectId;
  /** Whether policy forbids the content of this path. */
  denied(path: string): boolean;
  work: WorkBudget;
  /** Told of each file with a matching line, in order, while what it holds may still be read. */
  matched?(file: ArchiveFile): void;
}

export interface MatchingFile {
  path: string;
  matchingLines: number;
}

export interface SearchOutcome {
  /** Of answer `hits`; else empty. */
  hits: Hit[];
  /** Of answer `files`; else empty. */
  files: MatchingFile[];
  totals: SearchTotals;
  skipped: Skipped[];
  /**
   * Every file that the query selects was searched, save those that `git grep -I` leaves out as well and those that
   * policy denies (both in `skipped`). False: see `skipped`, `searchedFrom` and `stoppedAt`.
   */
  complete: boolean;
  /** Files before this path were searched by the page before; null when this one began at the first. */
  searchedFrom: string | null;
  /** The first path not searched, when the work ran out; else null. */
  stoppedAt: string | null;
  /** For the next page; null when there is no more. */
  nextCursor: string | null;
  dialect: string;
  /** Units of work that were spent. */
  work: number;
}

/** The name of the literal search's rules, for results. */
export const LITERAL_DIALECT = "literal bytes; without case: Unicode simple case folding, one line at a time";

/**
 * `files` in git's order, each once. Throws what the query's compilation throws, `invalid_argument` for a strange
 * cursor, and whatever the source of the files throws: then there is no outcome at all.
 */
export async function runSearch(
  files: AsyncIterable<ArchiveFile>,
  query: SearchQuery,
  scope: SearchScope,
): Promise<SearchOutcome> {
  const digest = queryDigest(query);
  const position = decodePosition(scope.commit, digest, query.cursor);
  const run = new SearchRun(query, position, scope);
  for await (const file of files) {
    if (!(await run.take(file))) break;
  }
  return run.outcome((next) => encodePosition(scope.commit, digest, next));
}

class SearchRun {
  readonly #query: SearchQuery;
  readonly #scope: SearchScope;
  readonly #start: SearchPosition;
  readonly #matcher: LineMatcher;
  readonly #selects: (path: string) => boolean;
  readonly #tally = new Tally();
  readonly #hits: Hit[] = [];
  readonly #files: MatchingFile[] = [];
  /** The last result of the page. */
  #last: { path: RawPath; line: number };
  /** There is a result behind the page's last one. */
  #more = false;
  #stoppedAt: { raw: RawPath; path: string } | null = null;
  #searchedFrom: string | null = null;

  constructor(query: SearchQuery, start: SearchPosition, scope: SearchScope) {
    this.#query = query;
    this.#scope = scope;
    this.#start = start;
    this.#matcher = matcherOf(query);
    this.#selects = pathFilter(query);
    this.#last = { path: start.afterPath, line: start.afterLine };
  }

  /** Searches one file; false when the work ran out and no further file is to be read. */
  async take(file: ArchiveFile): Promise<boolean> {
    if (file.rawPath < this.#start.from) return true;
    if (this.#start.from !== "") this.#searchedFrom ??= file.path;
    if (!this.#selects(file.path)) return true;
    const { work, denied } = this.#scope;
    if (file.kind === "symlink") return this.#skip("symlink", file);
    if (denied(file.path)) return this.#skip("denied", file);
    if (file.missing !== null) return this.#skip("missing", file, file.missing);
    if (file.bytes !== null && isBinary(file.bytes)) return this.#skip("binary", file);
    const cost = file.size * this.#matcher.workPerByte;
    if (cost > work.total) return this.#skip("too_costly", file);
    if (!work.spend(cost)) {
      this.#stoppedAt = { raw: file.rawPath, path: file.path };
      return false;
    }
    await this.#search(file);
    return true;
  }

  outcome(encode: (position: SearchPosition) => string): SearchOutcome {
    const stopped = this.#stoppedAt;
    const next: SearchPosition | null = this.#more
      ? { from: this.#start.from, afterPath: this.#last.path, afterLine: this.#last.line }
      : stopped === null
        ? null
        : { from: stopped.raw, afterPath: "", afterLine: 0 };
    return {
      hits: this.#hits,
      files: this.#files,
      totals: this.#tally.totals,
      skipped: this.#tally.skipped,
      complete: stopped === null && this.#start.from === "" && !this.#tally.hasGaps,
      searchedFrom: this.#searchedFrom,
      stoppedAt: stopped?.path ?? null,
      nextCursor: next === null ? null : encode(next),
      dialect: this.#query.mode === "regex" ? REGEX_DIALECT : LITERAL_DIALECT,
      work: this.#scope.work.spent,
    };
  }

  #skip(reason: Skipped["reason"], file: ArchiveFile, detail: string | null = null): true {
    this.#tally.skip(reason, file.path, detail);
    return true;
  }

  async #search(file: ArchiveFile): Promise<void> {
    const search = new FileSearch(this.#matcher, (line) => this.#collect(file, line));
    if (file.bytes !== null) {
      for (const block of heldBlocks(file.bytes)) {
        search.block(block);
        await this.#breathe(block);
      }
    } else {
      for await (const block of streamedBlocks(file, this.#query.context)) {
        if (block === "binary") {
          this.#skip("binary", file);
          return;
        }
        if (block === "line_too_long") this.#skip(block, file);
        else {
          search.block(block);
          await this.#breathe(block);
        }
      }
    }
    if (search.longLines > 0) this.#skip("long_lines", file);
    this.#tally.searched(file.size, search.matchingLines);
    if (search.matchingLines === 0) return;
    this.#scope.matched?.(file);
    this.#collectFile(file, search.matchingLines);
  }

  async #breathe(block: TextBlock): Promise<void> {
    const { work } = this.#scope;
    work.step(block.to - block.from, this.#matcher.workPerByte);
    if (work.due) await work.pause();
  }

  /** Takes a matching line into the page if it belongs there. False: no further line of this file is wanted. */
  #collect(file: ArchiveFile, found: LinePlace): boolean {
    const { answer, maxResults, context } = this.#query;
    if (answer !== "hits" || this.#more) return false;
    const after = this.#start;
    if (file.rawPath < after.afterPath) return false;
    if (file.rawPath === after.afterPath && found.line <= after.afterLine) return true;
    // Finding where a line matches runs the expression once for each match told.
    const cost = (found.end - found.start) * this.#matcher.workPerByte * (HIT_LIMITS.ranges + 1);
    const affordable = this.#scope.work.spend(cost) || this.#hits.length === 0;
    if (this.#hits.length === maxResults || !affordable) {
      this.#more = true;
      return false;
    }
    this.#hits.push(makeHit(file.path, found, this.#matcher, context));
    this.#last = { path: file.rawPath, line: found.line };
    return true;
  }

  #collectFile(file: ArchiveFile, matchingLines: number): void {
    if (this.#query.answer !== "files" || this.#more || file.rawPath <= this.#start.afterPath) return;
    if (this.#files.length === this.#query.maxResults) {
      this.#more = true;
      return;
    }
    this.#files.push({ path: file.path, matchingLines });
    this.#last = { path: file.rawPath, line: 0 };
  }
}
