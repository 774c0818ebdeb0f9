/**
 * Which hosts an archive may be downloaded from: the API's own, and the download host beside it. GitHub's own is
 * codeload.github.com; an Enterprise Server has it as `codeload.HOST` or below `/_codeload` of the same host.
 * Refuses every other place, other schemes, and credentials in the address. The token in a query is the host's own.
 */
import { unexpected } from "./failure.ts";

/** Throws `upstream_unexpected`, without the address: it may hold a token. */
export function downloadTarget(apiUrl: string, from: string, location: string | null, what: string): URL {
  const api = new URL(apiUrl);
  const target = location === null ? null : URL.parse(location, from);
  if (target === null) throw unexpected(what, "it redirects nowhere");
  const codeload = `${api.protocol}//codeload.${api.host.replace(/^api\./, "")}`;
  if (target.origin !== api.origin && target.origin !== codeload) {
    throw unexpected(what, "it redirects to a host that archives do not come from");
  }
  if (target.username !== "" || target.password !== "")
    throw unexpected(what, "it redirects with credentials");
  return target;
}
