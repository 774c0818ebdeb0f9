// GitHub's "diff entry": one changed file of a commit or comparison.
import type { FileChange } from "../git/diff.ts";
import { encodePath, type Links } from "./links.ts";

/** `commit` is where the links lead; `patch` is left out when there is none. */
export function fileChangeShape(
  links: Links,
  commit: string,
  change: FileChange,
  patch: string | null,
): Record<string, unknown> {
  const path = encodePath(change.path);
  return {
    sha: change.sha,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: links.web(`/blob/${commit}/${path}`),
    raw_url: links.web(`/raw/${commit}/${path}`),
    contents_url: links.contents(change.path, commit),
    ...(patch !== null && { patch }),
    ...(change.previousPath !== null && { previous_filename: change.previousPath }),
  };
}
