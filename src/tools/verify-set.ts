/** The tool `pin.verify_set`: words and wiring; the work is `service/verify-set.ts`. */
import {
  type VerificationSetReport,
  verificationSetReport,
  verifySetInput,
} from "../schema/verification-set.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { verifySet } from "../service/verify-set.ts";
import { setStatus } from "./http-status.ts";
import { verificationSetText } from "./set-text.ts";
import { READ_ONLY, type Tool } from "./tool.ts";

export const verifySetTool = (
  ports: ServicePorts,
): Tool<typeof verifySetInput, typeof verificationSetReport> => ({
  name: "pin.verify_set",
  title: "Verify several citations",
  description: `Re-check up to 8 citations at once: for each, whether it stands at its commit and at HEAD, and whether together they are the set that evidenceSetId names.
Use on the set that pin_prove_set gave you, or on all citations of a text; for a single one use pin_verify.
Read-only; no GitHub request while no HEAD has moved. Verdicts are results, never errors: status ok means every one is ok, not-ok that at least one is mismatch, contradicted, missing or blocked (or the id differs), incomplete that some item could not be checked, with its error in its place. It proves that text stands there, never that a statement is true.`,
  annotations: READ_ONLY,
  input: verifySetInput,
  output: verificationSetReport,
  route: { path: "/v1/verify-set", methods: ["POST"] },
  run: (input, call) => verifySet(ports, input, call),
  httpStatus: (report: VerificationSetReport) => setStatus(report.status),
  text: verificationSetText,
});
