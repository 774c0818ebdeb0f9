/**
 * Input and result of `pin.compare`: what differs between two commits, equal to `git diff --name-status base head`
 * (a two-dot comparison of the two trees, not of head with the merge base), and the commits between them.
 */
import * as z from "zod";
import { entryType, envelope, fullSha, nextCall, proof, repositoryName, shaInput } from "./common.ts";
import { commitRow } from "./inspection.ts";

export const compareInput = z.object({
  repository: repositoryName,
  base: shaInput.describe("Older commit, 7 to 40 hex digits; an abbreviation is never read as a branch."),
  head: shaInput.describe("Newer commit, 7 to 40 hex digits."),
  renames: z
    .boolean()
    .optional()
    .describe(
      "Pair files moved without change, as `git diff -M100%`; default true. False: as `--no-renames`.",
    ),
  limit: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe("Most changes in this answer, default 200; commits come 50 a page."),
  cursor: z.string().max(500).optional().describe("`nextCursor` of the answer before."),
});

const side = z
  .object({ entryType, mode: z.string().describe("Six octal digits, as `git ls-tree`."), id: fullSha })
  .nullable();

export const comparedPath = z.object({
  status: z
    .enum(["A", "M", "D", "T", "R"])
    .describe("Git's letter: added, modified, deleted, type changed, renamed without change."),
  sourcePath: z.string().describe("Where it stands in head; for D, where it stood in base."),
  previousPath: z.string().nullable().describe("For R: where it stood in base."),
  base: side.describe(
    "What stood there; null for A, and for blocked paths: an id would let their content be guessed.",
  ),
  head: side.describe("What stands there; null for D, and for blocked paths."),
  blocked: z.boolean().describe("Policy forbids this path's content."),
});

export const comparison = z.object({
  ...envelope("comparison"),
  status: z.enum(["ok", "missing", "blocked"]),
  reason: z.string().nullable().describe("Which commit is missing or unreachable, in words; null when ok."),
  repository: z.string(),
  base: fullSha,
  head: fullSha,
  mergeBase: fullSha.nullable().describe("Null when the two share no commit, or it could not be found out."),
  unrelated: z.boolean().nullable().describe("They share no commit; null when it could not be found out."),
  ahead: z.number().int().nullable().describe("Commits on head and not on base."),
  behind: z.number().int().nullable().describe("Commits on base and not on head."),
  commits: z
    .object({
      items: z.array(commitRow),
      total: z.number().int().nullable().describe("`git rev-list --count base..head`; null when not known."),
      truncated: z.boolean(),
    })
    .nullable()
    .describe("On head and not on base, newest first as `git log base..head`; null when not known."),
  changes: z.array(comparedPath).describe("In git's order."),
  totalChanges: z.number().int().nullable().describe("In all pages."),
  totals: z
    .object({ A: z.number(), M: z.number(), D: z.number(), T: z.number(), R: z.number() })
    .nullable()
    .describe("How many changes have each letter, in all pages."),
  truncated: z.boolean().describe("There are more pages."),
  reachable: z
    .object({ base: z.boolean().nullable(), head: z.boolean().nullable() })
    .describe("Whether each is an ancestor of a registered ref; null when it could not be found out."),
  proof: z.object({ base: proof.omit({ blob: true }), head: proof.omit({ blob: true }) }).nullable(),
  verify: z.string().describe("A git command for a clone, which prints the same changes."),
  notes: z.array(z.string()).describe("What else must be known to read this answer rightly."),
  nextCursor: z.string().nullable().describe("Pinned to the two commits: stays valid for ever."),
  next: nextCall,
});

export type CompareInput = z.infer<typeof compareInput>;
export type Comparison = z.infer<typeof comparison>;
export type ComparedPath = z.infer<typeof comparedPath>;
