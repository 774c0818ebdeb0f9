/** Results to HTTP, so that `curl -f` is a gate: ok 200, differs 409, missing 404, blocked 403. */
import type { Verdict } from "../schema/verification.ts";

export const packStatus = (status: "ok" | "blocked" | "missing"): 200 | 403 | 404 =>
  status === "ok" ? 200 : status === "blocked" ? 403 : 404;

export const verdictStatus = (status: Verdict): 200 | 403 | 404 | 409 =>
  status === "mismatch" || status === "contradicted" ? 409 : packStatus(status);
