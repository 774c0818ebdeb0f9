/**
 * Pieces that every input and result is made of. Owns bounds and wording of shared fields.
 * Follows the evidence contract: full SHAs out, 7 to 40 hex in, lines 1-based and inclusive.
 */
import * as z from "zod";

export const CONTRACT = "index-free-git-head-evidence";
export const PRODUCT = "gitpin";

/** Bounds of inputs, in one place. Texts are counted in UTF-16 units, files and slices in bytes. */
export const LIMITS = {
  pathUnits: 4096,
  claimUnits: 8000,
  mustContainUnits: 8000,
  /** Default and greatest size of `content` in one answer, in bytes of the slice. */
  contentBytes: 65_536,
  contentBytesMax: 1_000_000,
  line: 100_000_000,
} as const;

export const repositoryName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9._-]+$/, "letters, digits, dot, underscore and hyphen only")
  .describe("Registry name of the repository, as pin_catalog lists it; never a URL or owner/name.");

export const sourcePath = z
  .string()
  .max(LIMITS.pathUnits)
  .describe("Path from the repository root, `/` between segments, no leading slash; exact case.");

export const shaInput = z
  .string()
  .regex(/^[0-9a-fA-F]{7,40}$/, "7 to 40 hex digits")
  .describe("Commit id, 7 to 40 hex digits. An abbreviation is read as an object id, never as a branch.");

export const lineNumber = z.number().int().min(1).max(LIMITS.line);

export const fullSha = z.string().regex(/^[0-9a-f]{40}$/);
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** What every structured answer carries. */
export const envelope = <K extends string>(kind: K) => ({
  product: z.literal(PRODUCT),
  contract: z.literal(CONTRACT),
  kind: z.literal(kind),
});

/** Suggested next call, ready to be made, or null. `tool` is spelled as the caller spelled the last one. */
export const nextCall = z
  .object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
  .nullable()
  .describe("Suggested next tool with ready arguments, or null.");

/** First and last line, 1-based and inclusive; null for an empty file or where no line applies. */
export const lineRange = z.object({ start: z.number().int(), end: z.number().int() }).nullable();

export const headState = z
  .object({
    ref: z.string().describe("Full ref name, or HEAD while the default branch's name is not known."),
    sha: fullSha,
    checkedAt: z.string().describe("When GitHub last confirmed this tip, ISO 8601 UTC."),
    stale: z
      .object({ code: z.string(), reason: z.string() })
      .nullable()
      .describe("Set when the tip could not be refreshed within its bound, with the reason."),
  })
  .describe("The tip that was asked; absent from answers asked for by full SHA.");

const assurance = z.enum(["hashed", "attested"]);

export const proof = z
  .object({ commit: assurance, tree: assurance, blob: assurance })
  .describe("hashed: re-computed here from the bytes; attested: rests on GitHub's word.");

export const entryType = z
  .enum(["file", "executable", "symlink", "submodule", "directory"])
  .describe("What the tree holds at this path. A symlink's content is its target, never followed.");

export type NextCall = z.infer<typeof nextCall>;
export type Proof = z.infer<typeof proof>;
export type HeadState = z.infer<typeof headState>;
