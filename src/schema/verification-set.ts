/** Input and result of `pin.verify_set`: a verdict for each citation of a set, in one answer. */
import * as z from "zod";
import { envelope, nextCall, sha256Hex } from "./common.ts";
import { errorReport } from "./error-report.ts";
import { SET_ITEMS } from "./evidence-set.ts";
import { verificationReport, verifyAnyInput } from "./verification.ts";

export const verifySetInput = z.object({
  items: z
    .array(verifyAnyInput.strict())
    .min(1)
    .max(SET_ITEMS)
    .describe(`1 to ${SET_ITEMS} citations, each as pin_verify takes it: of a place, or of an absence.`),
  evidenceSetId: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "64 hex digits")
    .optional()
    .describe("Id of the evidence set these items are said to be; compared with the id they have."),
});

export const verificationSetItem = z.object({
  index: z.number().int().describe("Place in the input, from 0."),
  report: verificationReport.nullable().describe("Null when this item could not be checked."),
  error: errorReport.nullable().describe("Why it could not be checked; null when there is a report."),
});

export const verificationSetReport = z.object({
  ...envelope("verification-set-report"),
  status: z
    .enum(["ok", "not-ok", "incomplete"])
    .describe(
      "ok: every verdict is ok, and the id agrees where one was given. not-ok: all were checked and at least one is not. incomplete: at least one could not be checked, which is no verdict on it.",
    ),
  verdicts: z
    .object({
      ok: z.number().int(),
      mismatch: z.number().int(),
      contradicted: z.number().int(),
      missing: z.number().int(),
      blocked: z.number().int(),
      unchecked: z.number().int(),
    })
    .describe("How many items have each verdict."),
  evidenceSetId: sha256Hex
    .nullable()
    .describe(
      "Id of the items as checked, at their full SHAs; null when one could not be checked or is an absence.",
    ),
  evidenceSetIdMatches: z
    .boolean()
    .nullable()
    .describe("Null when none was given or none could be worked out."),
  items: z.array(verificationSetItem).describe("In the order asked for."),
  next: nextCall,
});

export type VerifySetInput = z.infer<typeof verifySetInput>;
export type VerificationSetReport = z.infer<typeof verificationSetReport>;
export type VerificationSetItem = z.infer<typeof verificationSetItem>;
