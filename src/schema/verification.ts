/** Input and report of `pin.verify`. Every verdict is a normal result, never an error. */
import * as z from "zod";
import { citation } from "./citation.ts";
import {
  entryType,
  envelope,
  fullSha,
  headState,
  LIMITS,
  lineNumber,
  lineRange,
  nextCall,
  proof,
  repositoryName,
  sha256Hex,
  shaInput,
  sourcePath,
} from "./common.ts";
import { absenceCitation } from "./search.ts";

/** A citation of a path. */
export const verifyInput = z.object({
  repository: repositoryName,
  sourcePath,
  sha: shaInput,
  line: lineNumber.optional().describe("First cited line, 1-based. Without it: the whole file."),
  lineEnd: lineNumber.optional().describe("Last cited line, inclusive; defaults to line."),
  mustContain: z
    .string()
    .min(1)
    .max(LIMITS.mustContainUnits)
    .optional()
    .describe("Text that must stand in the cited lines (else the whole file): exact, may span lines."),
  contentSha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "64 hex digits")
    .optional()
    .describe("SHA-256 that the cited bytes must have, from an evidence pack."),
});

/** A citation of a path, or of an absence: exactly one of sourcePath and absence, which `service/verify.ts` checks. */
export const verifyAnyInput = verifyInput.partial({ sourcePath: true }).extend({
  absence: z
    .string()
    .min(1)
    .max(50_000)
    .optional()
    .describe("Instead of sourcePath: handle of a search that found nothing, which is made again."),
});

export const verdict = z.enum(["ok", "mismatch", "contradicted", "missing", "blocked"]);

export const freshness = z.enum(["head", "unchanged", "moved", "changed", "gone"]);

export const verificationReport = z.object({
  ...envelope("verification-report"),
  status: verdict.describe(
    "ok: stands at the commit and at HEAD. mismatch: differs at HEAD. contradicted: text or hash absent at the commit. missing: no such commit, path or line. blocked: policy forbids it.",
  ),
  reason: z.string().describe("The verdict in one sentence."),
  claimVerdict: z
    .enum(["supported", "contradicted", "unproven"])
    .nullable()
    .describe(
      "Whether the asked-for text stands there; null when none was asked for. Never whether it is true.",
    ),
  citation,
  repository: z.string(),
  sourcePath: z.string(),
  commitSha: fullSha,
  blobSha: fullSha.nullable(),
  entryType: entryType.nullable(),
  range: lineRange,
  totalLines: z.number().int().nullable(),
  contentSha256: sha256Hex.nullable().describe("SHA-256 of the cited bytes at the commit."),
  reachable: z.boolean().nullable(),
  headCommitSha: fullSha.nullable(),
  headMatchesClaimedSha: z.boolean().nullable().describe("HEAD is this very commit."),
  headContentMatches: z.boolean().nullable().describe("The cited bytes stand at the same place at HEAD."),
  freshness: freshness.nullable(),
  movedTo: lineRange.describe("Where the cited lines stand at HEAD now, when `moved`."),
  head: headState.optional(),
  proof: proof.nullable(),
  absence: absenceCitation
    .optional()
    .describe("Of an absence that holds; sourcePath is then the empty path, the whole tree."),
  next: nextCall,
});

export type VerifyAnyInput = z.infer<typeof verifyAnyInput>;
export type VerifyInput = z.infer<typeof verifyInput>;
export type Verdict = z.infer<typeof verdict>;
export type VerificationReport = z.infer<typeof verificationReport>;
