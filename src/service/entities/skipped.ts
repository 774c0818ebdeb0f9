/**
 * Files that were left out, by reason, and whether that leaves a gap: a rule (policy, a symlink, content that is no source)
 * hides no entity of this commit's text, a gap may. Owns the words for both.
 */
import type { RefusalReason } from "../../core/entity/source-refused.ts";
import { SOURCE_BYTES } from "../../core/entity/source-text.ts";
import type { SkippedFiles } from "../../schema/entities.ts";

export type SkipReason = SkippedFiles["reason"];

/** In words after a number of files; the reasons that are not here are rules. */
const GAPS: Partial<Record<SkipReason, string>> = {
  too_large: `larger than the ${SOURCE_BYTES} bytes that are parsed`,
  not_utf8: "not valid UTF-8",
  parse_budget: "costs more to parse than any ordinary source of its size",
  too_many_errors: "holds more syntax errors in one place than are walked",
  unread: "could not be read now; the same call may succeed later",
};

const LISTED_PATHS = 20;

/** What a reading refuses is a reason here by the same name, but for what was never handed to it. */
export const skipReasonOf = (reason: RefusalReason): SkipReason =>
  reason === "directory" || reason === "language_unsupported" ? "unread" : reason;

export class Skips {
  readonly #byReason = new Map<SkipReason, SkippedFiles>();

  add(reason: SkipReason, path: string): void {
    const skipped = this.#byReason.get(reason) ?? {
      reason,
      count: 0,
      paths: [],
      detail: GAPS[reason] ?? null,
    };
    skipped.count += 1;
    if (skipped.paths.length < LISTED_PATHS) skipped.paths.push(path);
    this.#byReason.set(reason, skipped);
  }

  get list(): SkippedFiles[] {
    return [...this.#byReason.values()];
  }

  /** One sentence for each kind of gap. */
  get gaps(): string[] {
    return this.list.flatMap(({ reason, count, detail }) =>
      GAPS[reason] === undefined ? [] : [`${count} ${count === 1 ? "file" : "files"}: ${detail}.`],
    );
  }
}
