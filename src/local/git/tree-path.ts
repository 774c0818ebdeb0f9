// Finds what stands at a path of a tree, walking tree objects by name. Nothing on disk is touched, links are not
// followed: `..` is just a name no tree has.
import { posix } from "node:path";
import type { GitRepository } from "./repository.ts";

export interface Located {
  mode: string;
  sha: string;
}

/** `path` is `/`-separated without slashes at its ends; "" is the tree itself. */
export async function locate(git: GitRepository, tree: string, path: string): Promise<Located | null> {
  let at: Located = { mode: "040000", sha: tree };
  if (path === "") return at;
  for (const segment of path.split("/")) {
    const name = Buffer.from(segment, "utf8");
    const entries = at.mode === "040000" ? await git.tree(at.sha) : null;
    const entry = entries?.find((candidate) => candidate.name.equals(name));
    if (!entry) return null;
    at = { mode: entry.mode, sha: entry.sha };
  }
  return at;
}

/** Where a link's target leads within the repository; null when it leads out of it. */
export function linkTarget(path: string, target: string): string | null {
  if (target.startsWith("/")) return null;
  const joined = posix.normalize(posix.join(posix.dirname(path), target));
  if (joined === ".." || joined.startsWith("../")) return null;
  return joined === "." ? "" : joined.replace(/\/$/, "");
}
