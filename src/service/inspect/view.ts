/** What every view of `pin.inspect` is made from: HEAD, opened, and how many rows a list may have. */
import type { Head } from "../../ports/repository-reader.ts";
import type { Inspection } from "../../schema/inspection.ts";
import type { OpenCommit } from "../tree-comparison.ts";

export interface View {
  at: OpenCommit & { head: Head };
  limit: number;
}

/** The part of the answer that belongs to one operation. */
export type Part<K extends Inspection["operation"]> = NonNullable<Inspection[K]>;

/** A whole list, cut at the limit. */
export const listed = <T>(rows: readonly T[], limit: number) => ({
  items: rows.slice(0, limit),
  total: rows.length,
  truncated: rows.length > limit,
});
