/** Input and result of `pin.catalog`. A repository that fails keeps its row and says why. */
import * as z from "zod";
import { envelope, fullSha, nextCall } from "./common.ts";

export const catalogInput = z.object({
  view: z
    .enum(["repositories", "sync", "stale"])
    .optional()
    .describe(
      "repositories (default): all; sync: how fresh each HEAD is; stale: only those not fresh or not readable.",
    ),
  limit: z.number().int().min(1).max(100).optional().describe("Most rows in this answer, default 50."),
  cursor: z.string().max(500).optional().describe("`nextCursor` of the answer before."),
});

export const catalogRow = z.object({
  repository: z.string(),
  description: z.string().nullable(),
  fullName: z.string().describe("owner/name at the host, as configured or as the host spells it now."),
  visibility: z.enum(["public", "private"]),
  ref: z.string().nullable().describe("The ref that HEAD stands for."),
  refs: z.array(z.string()).describe("Further refs that may be named instead of HEAD."),
  headSha: fullSha.nullable(),
  checkedAt: z.string().nullable(),
  docCount: z
    .number()
    .int()
    .nullable()
    .describe("Documentation files at HEAD; null until the tree is known."),
  status: z
    .enum(["ok", "archived", "empty", "deleted", "no_access", "unavailable", "error"])
    .describe(
      "archived: read-only at the host, and readable; deleted, no_access: the host said so; unavailable: missing, or hidden from this service.",
    ),
  stale: z.boolean().describe("HEAD could not be refreshed within its bound."),
  reason: z.string().nullable(),
});

export const catalog = z.object({
  ...envelope("catalog"),
  view: z.enum(["repositories", "sync", "stale"]),
  repositories: z.array(catalogRow),
  registry: z
    .object({
      source: z.enum(["file", "live"]),
      readAt: z.string().nullable().describe("When the live registry was last read, ISO 8601 UTC."),
      stale: z.object({ code: z.string(), reason: z.string() }).nullable(),
    })
    .describe(
      "How current this list is; stale: the live registry could not be read, the last good one is used.",
    ),
  total: z.number().int().describe("Rows of this view in all pages."),
  nextCursor: z.string().nullable(),
  next: nextCall,
});

export type CatalogInput = z.infer<typeof catalogInput>;
export type Catalog = z.infer<typeof catalog>;
export type CatalogRow = z.infer<typeof catalogRow>;
