/** Input and result of `pin.get_doc`: a slice of a documentation file, with its title and headings. */
import * as z from "zod";
import { envelope, sourcePath } from "./common.ts";
import { readInput, sliceFields } from "./evidence.ts";

export const docInput = readInput.omit({ sourcePath: true, limit: true, cursor: true }).extend({
  sourcePath: sourcePath.min(1).describe("A documentation file, as pin_search_docs finds them."),
  limit: z.number().int().min(1).max(1000).optional().describe("Most headings in this answer, default 200."),
  cursor: z.string().max(500).optional().describe("For more headings: `nextCursor` of the answer before."),
});

export const heading = z.object({
  level: z.number().int().min(1).max(6),
  text: z.string().describe("As written, without its marks."),
  line: z.number().int().describe("1-based; ready for pin_prove's lineStart."),
});

export const evidenceDoc = z.object({
  ...envelope("evidence-doc"),
  ...sliceFields,
  title: z.string().nullable().describe("The first heading of the highest level; null where there is none."),
  headings: z
    .array(heading)
    .nullable()
    .describe(
      "Of the whole file, whatever lines were asked for; null when it is missing, blocked or no text.",
    ),
  totalHeadings: z.number().int().nullable(),
  nextCursor: z.string().nullable().describe("For more headings; pinned to the blob, stays valid for ever."),
  agentInstruction: z.string(),
});

export type DocInput = z.infer<typeof docInput>;
export type EvidenceDoc = z.infer<typeof evidenceDoc>;
export type Heading = z.infer<typeof heading>;
