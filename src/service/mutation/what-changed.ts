/**
 * What an error of a call that commits says of the change, beside what went wrong: that nothing was changed, or that this is not known
 * and how to find out. `data.applied` says the same to programs: false, or null. Pure.
 */
import { GitpinError } from "../../errors.ts";

/** The words of errors that say it themselves. */
const SAID = /nothing was (?:changed|committed|moved)/i;

/** The branch is known not to have moved. */
export function nothingChanged(error: unknown): unknown {
  // Of a call that another one with its id took over nothing is known here.
  if (!(error instanceof GitpinError) || error.code === "request_in_progress") return error;
  const { code, message, nextStep, data } = error;
  const said = SAID.test(message) || SAID.test(nextStep);
  const next = said ? nextStep : `Nothing was changed. ${nextStep}`;
  return new GitpinError(code, message, next, { ...data, applied: false }, { cause: error });
}

/** It may have moved. `kept`: the commit was written down under the call's `request_id`. */
export function perhapsChanged(error: unknown, kept: boolean): unknown {
  if (!(error instanceof GitpinError)) return error;
  const { code, message, nextStep, data } = error;
  // Of a commit that landed otherwise than planned there is no more to find out.
  const next =
    kept && data.landed !== true
      ? `Send the same call again with the same request_id: it finds out whether its commit landed, and makes it only if not. ${nextStep}`
      : nextStep;
  return new GitpinError(code, message, next, { ...data, applied: null }, { cause: error });
}
