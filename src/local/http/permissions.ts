// What a caller may do in a repository that it sees, beyond reading: GitHub's 401 and 403 for those who may not.
// Owns: permissions of tokens and installations, archived repositories, a host that is for reading only, workflow files.
// Follows docs.github.com/rest/authentication/permissions-required-for-fine-grained-personal-access-tokens.
import { reaches } from "../apps.ts";
import type { ServedRepository } from "../directory.ts";
import { opens } from "./access.ts";
import { ApiError } from "./answer.ts";
import type { Caller, HostContext } from "./exchange.ts";

export type Permission = "contents" | "pull_requests";

/** What a token has that is not said to have less. */
const EVERYTHING: Record<string, string> = { contents: "write", pull_requests: "write", workflows: "write" };

export function permissionsOf(caller: Caller): Record<string, string> {
  return caller.issued?.permissions ?? caller.permissions ?? EVERYTHING;
}

/** Whether a caller may push: what `permissions.push` of a repository says. */
export function mayWrite(host: HostContext, caller: Caller, repository: ServedRepository): boolean {
  if (!host.writable || repository.archived || !opens(caller, repository)) return false;
  return reaches(permissionsOf(caller).contents, "write");
}

function refusal(caller: Caller, accepted: string): ApiError {
  const who = caller.issued === undefined ? "personal access token" : "integration";
  return new ApiError(403, `Resource not accessible by ${who}`, {
    headers: { "x-accepted-github-permissions": accepted },
  });
}

/** Throws GitHub's refusal unless the caller may write there; the write is counted. */
export function beforeWriting(
  host: HostContext,
  caller: Caller,
  repository: ServedRepository,
  permission: Permission,
): void {
  // No answer of GitHub's: whoever started the host chose so.
  if (!host.writable) throw new ApiError(403, "This host serves its repositories for reading only.");
  if (caller.token === null) throw new ApiError(401, "Requires authentication");
  const granted = opens(caller, repository) ? permissionsOf(caller)[permission] : undefined;
  if (!reaches(granted, "write")) throw refusal(caller, `${permission}=write`);
  if (repository.archived) throw new ApiError(403, "Repository was archived so is read-only.");
  host.contentLimit.count(caller);
}

const WORKFLOWS = ".github/workflows/";

export function mayChangeWorkflows(caller: Caller): boolean {
  return reaches(permissionsOf(caller).workflows, "write");
}

/** Files that are set at these paths: workflows are for those who may change workflows. */
export function assertMaySet(caller: Caller, paths: readonly string[]): void {
  if (mayChangeWorkflows(caller) || !paths.some((path) => path.startsWith(WORKFLOWS))) return;
  throw refusal(caller, "contents=write; contents=write,workflows=write");
}
