/**
 * The result of `pin.analyze` as one object, since tools have one output schema and MCP wants an object: `kind` says
 * whether it is an `EvidenceBrief` or a `coverage`, and every result is exactly one of the two.
 */
import * as z from "zod";
import { coverage, evidenceBrief } from "./brief.ts";
import { envelope, nextCall } from "./common.ts";

export const analysis = z
  .object({
    ...evidenceBrief.partial().shape,
    ...coverage.partial().shape,
    ...envelope("coverage"),
    kind: z
      .enum(["EvidenceBrief", "coverage"])
      .describe("EvidenceBrief for brief; coverage for gaps and compare."),
    next: nextCall,
  })
  .superRefine((value, context) => {
    const form = value.kind === "coverage" ? coverage : evidenceBrief;
    const checked = form.strict().safeParse(value);
    for (const { path, message } of checked.error?.issues ?? []) {
      context.addIssue({ code: "custom", path, message });
    }
  });

export type Analysis = z.infer<typeof analysis>;
