/** The JSON form of an error (`GitpinError.report()`), for results in which one item may fail and others not. */
import * as z from "zod";
import { ERROR_FORMS, type ErrorCode } from "../errors.ts";

const codes = Object.keys(ERROR_FORMS).filter((code): code is ErrorCode => Object.hasOwn(ERROR_FORMS, code));

export const errorReport = z.object({
  code: z.enum(codes).describe("Stable; added to, never renamed."),
  message: z.string(),
  fault: z.enum(["caller", "upstream", "service"]).describe("Who can mend it."),
  retryable: z.boolean().describe("The same call may succeed later, unchanged."),
  nextStep: z.string(),
  data: z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).readonly()]),
  ),
});
