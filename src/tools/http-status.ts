/** Results to HTTP, so that `curl -f` is a gate: ok 200, differs 409, missing 404, blocked 403; a set 200 only if all of it is ok. */
import type { Verdict } from "../schema/verification.ts";

export const packStatus = (status: "ok" | "blocked" | "missing"): 200 | 403 | 404 =>
  status === "ok" ? 200 : status === "blocked" ? 403 : 404;

export const verdictStatus = (status: Verdict): 200 | 403 | 404 | 409 =>
  status === "mismatch" || status === "contradicted" ? 409 : packStatus(status);

/** A set passes as a whole or not at all. */
export const setStatus = (status: "ok" | "partial" | "failed" | "not-ok" | "incomplete"): 200 | 409 =>
  status === "ok" ? 200 : 409;

/** A search that is not complete still holds what it found: only what could not be searched at all is no success. */
export const searchStatus = (status: "ok" | "partial" | "missing" | "blocked"): 200 | 403 | 404 =>
  status === "partial" ? 200 : packStatus(status);

/** Entities: what could not be chosen or is not read is no success, so that nobody takes an empty answer for a body. */
export const entityStatus = (
  status: "ok" | "empty" | "ambiguous" | "incomplete" | "refused" | "blocked" | "missing",
): 200 | 403 | 404 | 409 => {
  if (status === "ambiguous" || status === "incomplete" || status === "refused") return 409;
  return status === "empty" ? 200 : packStatus(status);
};

/** A mutation: what changed nothing is no success. */
export const mutationStatus = (status: "committed" | "planned" | "conflict" | "refused"): 200 | 409 | 422 =>
  status === "conflict" ? 409 : status === "refused" ? 422 : 200;
