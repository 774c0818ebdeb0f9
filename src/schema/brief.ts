/**
 * Input and results of `pin.analyze`: an `EvidenceBrief`, or coverage rows (which expected documents each repository has).
 * A brief lists facts with their citations and gaps; it infers nothing and says so by an empty list.
 */
import * as z from "zod";
import { citation } from "./citation.ts";
import { envelope, fullSha, nextCall, repositoryName, sha256Hex } from "./common.ts";

/** Documents that every repository is expected to hold. */
export const EXPECTED_DOCUMENTS = [
  "README.md",
  "docs/architecture.md",
  "AGENTS.md",
  "docs/development.md",
] as const;

/** Most changed paths that become facts of one brief. */
export const BRIEF_CHANGES = 100;

export const audience = z.enum(["technical", "product", "design", "support", "operations", "leadership"]);

export const analyzeInput = z.object({
  operation: z
    .enum(["gaps", "compare", "brief"])
    .describe(
      "gaps: expected documents that are not there. compare: which repository has which. brief: known facts and gaps with citations.",
    ),
  repositories: z
    .array(repositoryName)
    .min(1)
    .max(20)
    .optional()
    .describe(
      "Repositories to examine; without it the first 20 of the catalog, and what was left out is said.",
    ),
  audience: audience
    .optional()
    .describe("Whom a brief is for, default technical. Changes the presentation and no fact."),
  changeRange: z
    .string()
    .regex(/^[0-9a-fA-F]{7,40}\.\.[0-9a-fA-F]{7,40}$/, "two commit ids of 7 to 40 hex digits, `base..head`")
    .optional()
    .describe("For a brief of exactly one repository: `base..head`; paths that differ become facts."),
});

const trace = z
  .object({
    repository: z.string().nullable(),
    commitSha: fullSha.nullable(),
    sourcePath: z.string().nullable(),
    citation: citation.nullable().describe("Null where there is nothing to cite: a gap, or an empty range."),
  })
  .describe("What the statement rests on.");

export const briefStatement = z.object({
  id: z.string().describe("Stable: kind, repository and path."),
  label: z.string(),
  statement: z.string(),
  trace,
});

export const briefSection = z.object({
  title: z.string(),
  ids: z.array(z.string()).describe("Ids of knownFacts and gaps, in the order to show them."),
});

export const evidenceBrief = z.object({
  ...envelope("EvidenceBrief"),
  type: z.literal("EvidenceBrief"),
  schemaVersion: z.literal(1),
  evidenceSetId: sha256Hex.describe("Over the citations of all known facts; the same for every audience."),
  audience,
  presentation: z
    .object({
      title: z.string(),
      summary: z.string(),
      readingNote: z.string(),
      sections: z.array(briefSection),
    })
    .describe("The only part that depends on the audience."),
  scope: z.object({
    repositories: z.array(
      z.object({ repository: z.string(), commitSha: fullSha, ref: z.string().nullable() }),
    ),
    changeRange: z.object({ repository: z.string(), base: fullSha, head: fullSha }).nullable(),
  }),
  knownFacts: z.array(briefStatement),
  gaps: z.array(briefStatement).describe("What is not there, may not be read, or was not examined."),
  inferences: z.array(z.never()).max(0).describe("Always empty: the service infers nothing."),
  nextSafeAction: z.object({ statement: z.string(), call: nextCall }),
  technicalTrace: z.object({
    expectedDocuments: z.array(z.string()),
    evidenceSetRecipe: z.string(),
    changesTotal: z.number().int().nullable().describe("Changed paths in the range; null without one."),
    changesShown: z.number().int(),
    commands: z.array(z.string()).describe("One `git show` for each cited fact, in the facts' order."),
  }),
  next: nextCall,
});

export const coverageDocument = z.object({
  sourcePath: z.string(),
  state: z.enum(["found", "missing", "blocked"]),
  citation: citation.nullable().describe("Null unless found."),
});

export const coverageRow = z.object({
  repository: z.string(),
  commitSha: fullSha.nullable(),
  documents: z.array(coverageDocument).describe("The expected documents that were looked for."),
  found: z.number().int(),
  lacking: z.array(z.string()).describe("Expected documents that are missing or blocked."),
  reason: z.string().nullable().describe("Why the repository could not be examined; null when it was."),
});

export const coverage = z.object({
  ...envelope("coverage"),
  operation: z.enum(["gaps", "compare"]),
  expectedDocuments: z.array(z.string()),
  rows: z
    .array(coverageRow)
    .describe(
      "gaps: repositories that lack a document or could not be examined. compare: all, most lacking first. At most 20 of those not examined.",
    ),
  byDocument: z
    .array(z.object({ sourcePath: z.string(), has: z.array(z.string()), lacks: z.array(z.string()) }))
    .describe("For each expected document: examined repositories that have it, and those that lack it."),
  examined: z.number().int(),
  notExamined: z.number().int().describe("How many could not be examined or were left out, in all."),
  next: nextCall,
});

export type AnalyzeInput = z.infer<typeof analyzeInput>;
export type Audience = z.infer<typeof audience>;
export type EvidenceBrief = z.infer<typeof evidenceBrief>;
export type BriefStatement = z.infer<typeof briefStatement>;
export type Coverage = z.infer<typeof coverage>;
export type CoverageRow = z.infer<typeof coverageRow>;
