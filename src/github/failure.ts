/**
 * What a failed answer of the host means, as our errors. Owns the wording.
 * Refuses to repeat anything of the host's answer or of the request: no body, no URL, no token. `what` is ours: "a blob".
 */
import { GitpinError } from "../errors.ts";

export const unavailable = (what: string, reason: string): GitpinError =>
  new GitpinError("upstream_unavailable", `GitHub did not deliver ${what}.`, "Try again shortly.", {
    reason,
  });

export const timedOut = (what: string, timeoutMs: number): GitpinError =>
  new GitpinError(
    "upstream_timeout",
    `GitHub took too long to deliver ${what}.`,
    "Try again shortly; a smaller part may come through.",
    { timeoutMs },
  );

export const corrupt = (what: string, reason: string): GitpinError =>
  new GitpinError(
    "upstream_corrupt",
    `What GitHub sent for ${what} is damaged: ${reason}.`,
    "Try again shortly; nothing of the damaged answer was used.",
    { reason },
  );

export const unexpected = (what: string, reason: string): GitpinError =>
  new GitpinError(
    "upstream_unexpected",
    `GitHub's answer for ${what} is not of the documented form: ${reason}.`,
    "Try again; if it stays so, report it to the operator of this service.",
    { reason },
  );

export const tooLarge = (maxBytes: number): GitpinError =>
  new GitpinError(
    "blob_too_large",
    `The file is larger than this service reads (${maxBytes} bytes).`,
    "Read it from a clone with `git show`.",
    { maxBytes },
  );

/** A file that is too large to be read whole, and not too large to be read in parts. */
export const tooLargeWhole = (maxBytes: number): GitpinError =>
  new GitpinError(
    "blob_too_large",
    `The file is larger than this service reads whole (${maxBytes} bytes).`,
    "Ask for some of its lines (first and last), or read it from a clone with `git show`.",
    { maxBytes },
  );

export const tooManyLines = (maxBytes: number): GitpinError =>
  new GitpinError(
    "blob_too_large",
    `These lines of a large file are more than this service reads at a time (${maxBytes} bytes).`,
    "Ask for fewer lines.",
    { maxBytes },
  );

export const repositoryUnavailable = (name: string): GitpinError =>
  new GitpinError(
    "repository_unavailable",
    `The registered repository ${name} does not exist at GitHub, or this service's credentials do not show it.`,
    "Ask the operator to check the registry entry and the access of the service's token.",
    { repository: name },
  );

export const repositoryDeleted = (name: string): GitpinError =>
  new GitpinError(
    "repository_deleted",
    `The registered repository ${name} was deleted at GitHub.`,
    "Ask the operator to remove the registry entry.",
    { repository: name },
  );

export const repositoryNoAccess = (name: string): GitpinError =>
  new GitpinError(
    "repository_no_access",
    `GitHub took this service's access to the registered repository ${name} away.`,
    "The owner gives the service's GitHub App access to the repository again, or the operator removes the registry entry.",
    { repository: name },
  );

export const repositoryEmpty = (name: string): GitpinError =>
  new GitpinError(
    "repository_empty",
    `The repository ${name} has no commit yet.`,
    "Push a first commit, then ask again.",
    { repository: name },
  );

const unauthorized = (): GitpinError =>
  new GitpinError(
    "upstream_unauthorized",
    "GitHub refused this service's credentials.",
    "Ask the operator to renew the service's GitHub token.",
  );

const forbidden = (what: string): GitpinError =>
  new GitpinError(
    "upstream_forbidden",
    `GitHub denies this service ${what}.`,
    "Ask the operator to check the permissions of the service's GitHub token.",
  );

/** Name of a network failure (`ECONNREFUSED`), where the runtime tells one; never its text. */
export function networkReason(thrown: unknown): string {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z_]{3,40}$/.test(at.code)) return at.code;
  }
  return "the connection failed";
}

/** Every status that has one meaning wherever it comes; limits and 404, 409, 422 are decided before. */
export function failureOf(status: number, what: string): GitpinError {
  if (status === 401) return unauthorized();
  if (status === 403 || status === 451) return forbidden(what);
  if (status >= 500) return unavailable(what, `HTTP ${status}`);
  return unexpected(what, `HTTP ${status}`);
}
