// From what a caller names (branch, tag, HEAD, full or short SHA) to a commit, in GitHub's order.
// Owns: that order. Branches and tags win over abbreviated SHAs, so a branch named like a short SHA shadows the
// commit; branches win over tags. Refuses: revision syntax (`main~1`, `@{1}`, `:path`).
import type { GitRepository } from "./repository.ts";

export interface Resolved {
  commit: string;
  /** The full ref name it was found by; null for SHAs. */
  ref: string | null;
}

const FULL_SHA = /^[0-9a-f]{40}$/i;
const NAMESPACED = /^(?:heads|tags|pull)\//;

/** Resolves to a commit, annotated tags peeled; null when nothing of that name leads to a commit. */
export async function resolveCommit(
  git: GitRepository,
  name: string,
  defaultBranch: string,
): Promise<Resolved | null> {
  if (FULL_SHA.test(name)) return peeled(git, name.toLowerCase(), null);
  if (name === "HEAD") {
    const branch = await git.firstRef(`refs/heads/${defaultBranch}`);
    const sha = branch?.sha ?? (await git.headSha());
    return sha === null ? null : peeled(git, sha, branch?.name ?? null);
  }
  const ref = name.startsWith("refs/")
    ? await git.firstRef(name)
    : await git.firstRef(
        ...(NAMESPACED.test(name) ? [`refs/${name}`] : []),
        `refs/heads/${name}`,
        `refs/tags/${name}`,
      );
  if (ref) return peeled(git, ref.sha, ref.name);
  const [only, ...others] = await git.commitsStartingWith(name.toLowerCase());
  return only !== undefined && others.length === 0 ? { commit: only, ref: null } : null;
}

async function peeled(git: GitRepository, sha: string, ref: string | null): Promise<Resolved | null> {
  const info = await git.peel(sha);
  return info?.type === "commit" ? { commit: info.sha, ref } : null;
}
