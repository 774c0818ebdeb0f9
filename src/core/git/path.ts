/**
 * Paths inside a git tree. Refuses what no tree can hold and what could reach another endpoint of the host's API:
 * empty, `.` and `..` segments, leading and trailing slashes, NUL. A backslash is an ordinary character of a git path.
 */
import { GitpinError } from "../../errors.ts";

/** What is wrong with the path, in words; null when a git tree could hold it. The root is the empty path. */
export function pathFault(path: string): string | null {
  if (path === "") return null;
  if (path.includes("\0")) return "it holds a NUL character";
  if (path.startsWith("/")) return "it starts with a slash";
  if (path.endsWith("/")) return "it ends with a slash";
  if (!path.isWellFormed()) return "it holds half of a surrogate pair, which UTF-8 cannot carry";
  for (const segment of path.split("/")) {
    if (segment === "") return "it holds an empty segment";
    if (segment === "." || segment === "..") return `it holds a \`${segment}\` segment`;
  }
  return null;
}

/** Throws `invalid_path`, before any request is made. `field` names the argument in the error. */
export function assertPath(path: string, field = "sourcePath"): void {
  const fault = pathFault(path);
  if (fault === null) return;
  throw new GitpinError(
    "invalid_path",
    `${field} is not a path inside a git tree: ${fault}.`,
    "Give the path from the repository root as `git ls-tree` prints it, e.g. src/main.ts.",
    { field },
  );
}
