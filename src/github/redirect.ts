/**
 * Where a redirect of the host may lead: to the same API, and from a repository's numeric address only within that
 * repository, so that a name given to someone else is never served under the old identity.
 */
import { unexpected } from "./failure.ts";

const REPOSITORY = /^\/repositories\/\d+(?=[/?]|$)/;

/** The path below the API's base that a redirect leads to; throws `upstream_unexpected` for any other place. */
export function redirectTarget(
  apiUrl: string,
  from: string,
  location: string | undefined,
  what: string,
): string {
  const base = new URL(apiUrl);
  const basePath = base.pathname.replace(/\/$/, "");
  const target = location === undefined ? null : URL.parse(location, `${apiUrl}${from}`);
  if (target === null) throw unexpected(what, "it redirects nowhere");
  if (target.origin !== base.origin || !target.pathname.startsWith(`${basePath}/`)) {
    throw unexpected(what, "it redirects out of the API");
  }
  if (target.username !== "" || target.password !== "")
    throw unexpected(what, "it redirects with credentials");
  const path = `${target.pathname.slice(basePath.length)}${target.search}`;
  const repository = REPOSITORY.exec(from)?.[0];
  if (repository !== undefined && REPOSITORY.exec(path)?.[0] !== repository) {
    throw unexpected(what, "it redirects to another repository");
  }
  // Octokit reads `:name` and `{name}` in a path as variables.
  return path.replaceAll(":", "%3A").replaceAll("{", "%7B").replaceAll("}", "%7D");
}

/** A repository's own address, by name or by id. */
const API_PATH = /^\/(?:repositories\/\d+|repos\/[^/]+\/[^/]+)\/(?:tarball|zipball)(?:\/|$)/;

/** Whether a redirect of a download stays within the API: a repository that moved, say. */
export function isOfApi(apiUrl: string, location: string): boolean {
  const base = new URL(apiUrl);
  const basePath = base.pathname.replace(/\/$/, "");
  const target = URL.parse(location, apiUrl);
  if (target === null) return true;
  const inside = target.origin === base.origin && target.pathname.startsWith(`${basePath}/`);
  return inside && API_PATH.test(target.pathname.slice(basePath.length));
}
