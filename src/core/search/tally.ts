/**
 * Counts what a search looked at and what it left out, and why. Owns the difference between a rule (binary content, a
 * symlink, policy: reported, as `git grep -I` would leave it out too) and a gap (reported, and the answer is incomplete).
 */

/** `true`: a gap, the search is incomplete because of it. */
const REASONS = {
  /** NUL in the first 8000 bytes. */
  binary: false,
  /** Its target is no text of the tree. */
  symlink: false,
  /** Policy forbids its content. */
  denied: false,
  /** Lines longer than an expression is run on; the file's other lines were searched. */
  long_lines: true,
  /** A line longer than can be held; the file was searched up to it. */
  line_too_long: true,
  /** Its blob could not be had, and the archive holds other bytes. */
  missing: true,
  /** Too much work for this expression even alone. */
  too_costly: true,
} as const;

export type SkipReason = keyof typeof REASONS;

/** Whether a search is incomplete because of it. */
export const isGap = (reason: SkipReason): boolean => REASONS[reason];

export interface Skipped {
  reason: SkipReason;
  /** Files. */
  count: number;
  /** The first of their paths, in git's order. */
  paths: string[];
  /** In words, where the reason alone does not say it. */
  detail: string | null;
}

const LISTED_PATHS = 20;

export interface SearchTotals {
  /** Files whose text was searched, wholly or but for what `skipped` names. */
  filesSearched: number;
  /** Their size. */
  bytesSearched: number;
  matchingFiles: number;
  matchingLines: number;
}

export class Tally {
  readonly totals: SearchTotals = { filesSearched: 0, bytesSearched: 0, matchingFiles: 0, matchingLines: 0 };
  readonly #skipped = new Map<SkipReason, Skipped>();

  searched(bytes: number, matchingLines: number): void {
    this.totals.filesSearched++;
    this.totals.bytesSearched += bytes;
    this.totals.matchingLines += matchingLines;
    if (matchingLines > 0) this.totals.matchingFiles++;
  }

  skip(reason: SkipReason, path: string, detail: string | null = null): void {
    const skipped = this.#skipped.get(reason) ?? { reason, count: 0, paths: [], detail };
    skipped.count++;
    if (skipped.paths.length < LISTED_PATHS) skipped.paths.push(path);
    this.#skipped.set(reason, skipped);
  }

  get skipped(): Skipped[] {
    return [...this.#skipped.values()];
  }

  /** Whether anything was left out that `git grep -I` would have searched and policy allows. */
  get hasGaps(): boolean {
    return this.skipped.some(({ reason }) => isGap(reason));
  }
}
