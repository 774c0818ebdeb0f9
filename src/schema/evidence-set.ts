/**
 * Input and result of `pin.prove_set`: several evidence packs under one id. One item that fails leaves the others standing
 * and is told in its place.
 */
import * as z from "zod";
import { envelope, nextCall, sha256Hex } from "./common.ts";
import { errorReport } from "./error-report.ts";
import { evidencePack, proveInput } from "./evidence.ts";

/** Most items of a set, in `pin.prove_set` and `pin.verify_set`. */
export const SET_ITEMS = 8;

export const proveSetInput = z.object({
  items: z
    .array(proveInput.strict())
    .min(1)
    .max(SET_ITEMS)
    .describe(`1 to ${SET_ITEMS} places, each as pin_prove takes it; several repositories are allowed.`),
});

export const evidenceSetItem = z.object({
  index: z.number().int().describe("Place in the input, from 0."),
  pack: evidencePack
    .nullable()
    .describe("Null when this item failed; its own status may be missing or blocked."),
  error: errorReport.nullable().describe("Why this item failed; null when there is a pack."),
});

export const evidenceSet = z.object({
  ...envelope("evidence-set"),
  status: z
    .enum(["ok", "partial", "failed"])
    .describe("ok: every pack is ok. partial: some are. failed: none is."),
  evidenceSetId: sha256Hex
    .nullable()
    .describe(
      "SHA-256 over the sorted lines `repository TAB path TAB sha TAB first TAB last` of all packs that are ok, duplicates once, path percent-encoded; null when none is. Independent of the order asked in.",
    ),
  items: z.array(evidenceSetItem).describe("In the order asked for."),
  agentInstruction: z.string(),
  next: nextCall,
});

export type ProveSetInput = z.infer<typeof proveSetInput>;
export type EvidenceSet = z.infer<typeof evidenceSet>;
export type EvidenceSetItem = z.infer<typeof evidenceSetItem>;
