/** Results to HTTP, so that `curl -f` is a gate: ok 200, differs 409, missing 404, blocked 403; a set 200 only if all of it is ok. */
import type { Verdict } from "../schema/verification.ts";

export const packStatus = (status: "ok" | "blocked" | "missing"): 200 | 403 | 404 =>
  status === "ok" ? 200 : status === "blocked" ? 403 : 404;

export const verdictStatus = (status: Verdict): 200 | 403 | 404 | 409 =>
  status === "mismatch" || status === "contradicted" ? 409 : packStatus(status);

/** A set passes as a whole or not at all. */
export const setStatus = (status: "ok" | "partial" | "failed" | "not-ok" | "incomplete"): 200 | 409 =>
  status === "ok" ? 200 : 409;
