/**
 * Results and inputs of `pin.prove` and `pin.read`: the evidence pack and the evidence slice.
 * One schema per result serves MCP, REST, OpenAPI and the command line.
 */
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

const place = {
  repository: repositoryName,
  sourcePath,
  lineStart: lineNumber.optional().describe("First line, 1-based. Without it: the whole file."),
  lineEnd: lineNumber.optional().describe("Last line, inclusive; defaults to lineStart."),
  sha: shaInput.optional(),
  ref: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("One of the repository's registered refs, instead of HEAD. Not together with sha."),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(LIMITS.contentBytesMax)
    .optional()
    .describe(`Most bytes of content in this answer, default ${LIMITS.contentBytes}; a cut is always said.`),
};

export const proveInput = z.object({
  ...place,
  claim: z
    .string()
    .min(1)
    .max(LIMITS.claimUnits)
    .optional()
    .describe("Text you are about to claim; bound to the pack and looked for in the slice, exactly."),
});

export const readInput = z.object({
  ...place,
  sourcePath: sourcePath.default("").describe("Path of a file or directory; the root when left out."),
  limit: lineNumber
    .max(1000)
    .optional()
    .describe("Directory only: most entries in this answer, default 200."),
  cursor: z.string().max(500).optional().describe("Directory only: `nextCursor` of the answer before."),
});

/** Why content stops early, and where to go on. */
export const truncation = z
  .object({
    returnedBytes: z.number().int(),
    totalBytes: z.number().int(),
    nextLine: z.number().int().nullable().describe("First line not wholly in `content`."),
  })
  .nullable();

/** What both results say of the bytes. Null fields: not there (missing), not to be shown (blocked), or not a blob. */
export const sliceFields = {
  status: z.enum(["ok", "blocked", "missing"]),
  reason: z.string().nullable().describe("Why it is blocked or missing, in words; null when ok."),
  citation,
  repository: z.string(),
  sourcePath: z.string(),
  commitSha: fullSha,
  blobSha: fullSha.nullable(),
  entryType: entryType.nullable(),
  lfsPointer: z.boolean().describe("The blob is a Git LFS pointer: the file's own bytes are not in git."),
  range: lineRange,
  totalLines: z.number().int().nullable(),
  content: z.string().nullable().describe("The slice without line-number prefixes, terminators included."),
  encoding: z.enum(["utf-8", "base64"]).nullable(),
  contentSha256: sha256Hex
    .nullable()
    .describe("SHA-256 of the whole slice's raw bytes, also when `content` was cut."),
  truncated: z.boolean(),
  truncation,
  reachable: z
    .boolean()
    .nullable()
    .describe("Whether the commit is an ancestor of a registered ref; null when it could not be found out."),
  proof: proof.nullable(),
  head: headState.optional(),
  next: nextCall,
};

export const evidencePack = z.object({
  ...envelope("evidence-pack"),
  ...sliceFields,
  claim: z.string().nullable(),
  claimTextMatch: z
    .boolean()
    .nullable()
    .describe(
      "Whether the slice holds the claim's text, exactly; null without a claim. Says nothing of truth.",
    ),
  agentInstruction: z.string(),
});

export const directoryEntry = z.object({
  name: z.string(),
  sourcePath: z.string(),
  entryType,
  id: fullSha.nullable().describe("Object id; null where policy forbids the content."),
  size: z.number().int().nullable().describe("Bytes of the blob where known."),
  blocked: z.boolean().describe("Policy forbids this path's content."),
});

export const evidenceSlice = z.object({
  ...envelope("evidence-slice"),
  ...sliceFields,
  entries: z
    .array(directoryEntry)
    .nullable()
    .describe("Children in git's order, for a directory; else null."),
  totalEntries: z.number().int().nullable(),
  nextCursor: z.string().nullable().describe("Pinned to the tree: stays valid for ever."),
});

export type ProveInput = z.infer<typeof proveInput>;
export type ReadInput = z.infer<typeof readInput>;
export type EvidencePack = z.infer<typeof evidencePack>;
export type EvidenceSlice = z.infer<typeof evidenceSlice>;
