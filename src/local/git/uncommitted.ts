// Which files somebody works on in the work tree that a branch is checked out in, so that a refusal can name them.
// Owns: finding that work tree (the clone's own or a linked one), and the words. Compares as the owner's git does, for line
// endings and filters decide what is changed. Refuses: writing anything (the index is not refreshed), and untracked files.
import { cleanEnvironment, type Environment } from "./environment.ts";
import { ownersSettings } from "./push-into.ts";
import type { GitRepository } from "./repository.ts";
import { GitFailure, runGit } from "./run.ts";

/** A path that is longer than this, or cannot be shown as it is, is counted and not named. */
const SHOWN_UNITS = 200;

/** Paths that differ from what is committed, in git's order; none where that cannot be found out. `branch`: full name. */
export async function uncommittedIn(git: GitRepository, branch: string): Promise<string[]> {
  try {
    const folder = await workTreeOf(git, branch);
    if (folder === null) return [];
    const settings = ["safe.directory=*", "core.fsmonitor=false", `core.hooksPath=${git.noHooks}`];
    const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=no"];
    const { stdout } = await runGit([...settings.flatMap((setting) => ["-c", setting]), ...args], {
      cwd: folder,
      env: ownersEnvironment(),
    });
    return stdout
      .toString("utf8")
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => line.slice("XY ".length));
  } catch (reason) {
    // The branch was refused with git's own words; these would only say more.
    if (reason instanceof GitFailure) return [];
    throw reason;
  }
}

/** `the clone has uncommitted changes in README.md and 2 more: commit or stash them`; null: there are none. */
export function uncommittedWords(paths: readonly string[]): string | null {
  if (paths.length === 0) return null;
  const named = paths.find((path) => path.length <= SHOWN_UNITS && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(path));
  const others = paths.length - 1;
  const files = paths.length === 1 ? "1 file" : `${paths.length} files`;
  const where = named === undefined ? files : `${named}${others === 0 ? "" : ` and ${others} more`}`;
  return `the clone has uncommitted changes in ${where}: commit or stash them`;
}

async function workTreeOf(git: GitRepository, branch: string): Promise<string | null> {
  const { stdout } = await git.runOnClone(["worktree", "list", "--porcelain", "-z"]);
  const trees = stdout.toString("utf8").split("\0\0");
  const found = trees.find((tree) => tree.split("\0").includes(`branch ${branch}`));
  return /^worktree ([^\0]+)/.exec(found ?? "")?.[1] ?? null;
}

/** As that of `push-into.ts`'s receiving side. */
function ownersEnvironment(): Environment {
  const { OWNERS_GIT_CONFIG: config, ...settings } = ownersSettings();
  const {
    GIT_CONFIG_NOSYSTEM: _,
    GIT_CONFIG_GLOBAL: __,
    GIT_ATTR_NOSYSTEM: ___,
    ...rest
  } = cleanEnvironment(settings);
  return config === undefined ? rest : { ...rest, GIT_CONFIG_GLOBAL: config };
}
