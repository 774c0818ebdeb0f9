/** The tool `pin.verify`: words and wiring; the work is `service/verify.ts`. */
import { type VerificationReport, verificationReport, verifyAnyInput } from "../schema/verification.ts";
import type { ServicePorts } from "../service/service-ports.ts";
import { verifyAny } from "../service/verify.ts";
import { verdictStatus } from "./http-status.ts";
import { reportText } from "./text.ts";
import { READ_ONLY, type Tool } from "./tool.ts";
import { verifyRest } from "./verify-rest.ts";

export const verifyTool = (ports: ServicePorts): Tool<typeof verifyAnyInput, typeof verificationReport> => ({
  name: "pin.verify",
  title: "Verify a citation",
  description: `Re-check a citation: does the path exist at that commit, does the text stand in the cited lines, and do the same bytes still stand at HEAD?
Use after pin_prove, and on any citation you were given, also on an absence from a search; to get fresh lines instead use pin_prove without sha.
Read-only; no GitHub request while HEAD has not moved, at most 3 when it has. The verdict is a result, never an error: ok (freshness head, unchanged or moved), mismatch (differs at HEAD), contradicted (text or hash absent at the commit), missing, blocked. It proves that text stands there, never that a statement is true.`,
  annotations: READ_ONLY,
  input: verifyAnyInput,
  output: verificationReport,
  route: { path: "/v1/verify", methods: ["GET", "POST"] },
  rest: verifyRest,
  run: (input, call) => verifyAny(ports, input, call),
  httpStatus: (report: VerificationReport) => verdictStatus(report.status),
  text: reportText,
});
