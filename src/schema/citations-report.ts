/** The report on every citation in notes: what `POST /v1/verify-cites` answers. */
import * as z from "zod";
import { envelope } from "./common.ts";
import { errorReport } from "./error-report.ts";
import { verdict, verificationReport } from "./verification.ts";

/** Bounds of one call. The command line has none: it asks citation by citation. */
export const NOTES = { bytes: 1_048_576, citations: 200 } as const;

const count = z.number().int();

export const checkedCitation = z.object({
  line: count.describe("Where it stands in the notes, 1-based."),
  column: count.describe("In UTF-16 units, 1-based."),
  text: z.string().describe("As written, cut at 500 UTF-16 units."),
  verdict: z.enum([...verdict.options, "malformed", "error"]),
  reason: z.string().describe("The verdict in a sentence; for an error with what to do."),
  movedTo: z.string().nullable().describe("How it should read now, when its lines moved; it still holds."),
  report: verificationReport.nullable(),
  error: errorReport.nullable(),
});

export const citationsReport = z.object({
  ...envelope("citations-report"),
  status: z
    .enum(["ok", "not-ok", "incomplete"])
    .describe(
      "ok: every citation holds (also when there is none). not-ok: at least one does not, or is malformed. incomplete: at least one was not checked.",
    ),
  summary: z.object({
    citations: count.describe("Found in the notes, malformed ones too."),
    ok: count,
    moved: count.describe("Of the ok ones: their lines moved."),
    notOk: count,
    malformed: count,
    unchecked: count.describe("Could not be checked; each says why."),
    beyondLimit: count.describe(`Beyond the first ${NOTES.citations}: neither checked nor listed.`),
  }),
  citations: z.array(checkedCitation).describe("In the order of the notes."),
});

export type CitationsReport = z.infer<typeof citationsReport>;
export type CheckedCitation = z.infer<typeof checkedCitation>;
