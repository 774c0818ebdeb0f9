// A push of objects from the host's store into a clone that somebody works in, as `git push` from another machine would.
// Owns: the settings of both sides. The sending side is the host's, isolated; the receiving one is the clone's owner's own
// git, for it may have to write files as that owner's settings (line endings, filters) say. Hooks and upkeep are off.
import { cleanEnvironment } from "./environment.ts";
import type { RefMove } from "./ref-moves.ts";
import type { GitRepository } from "./repository.ts";
import { runGit } from "./run.ts";

export interface Refusal {
  words: string;
  /** Somebody's uncommitted work is in the way. */
  workTree: boolean;
}

/** What git says when files are in the way (receive-pack's `updateInstead`). */
const WORK_TREE =
  /working (?:directory|tree)|worktree|up-to-date check|unstaged|staged changes|not uptodate|overwritten/i;

/** The owner's git settings, which the host keeps from all its other processes. */
const OWNERS = ["HOME", "XDG_CONFIG_HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"];

/** Null: all moved. */
export async function pushInto(git: GitRepository, moves: readonly RefMove[]): Promise<Refusal | null> {
  const settings = [
    "safe.directory=*",
    "receive.denyCurrentBranch=updateInstead",
    "receive.denyNonFastForwards=false",
    "receive.denyDeletes=false",
    "receive.autogc=false",
    "core.fsmonitor=false",
    `core.hooksPath=${git.noHooks}`,
  ];
  const receiver = [
    "unset GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL GIT_ATTR_NOSYSTEM GIT_LITERAL_PATHSPECS;",
    'if [ -n "$OWNERS_GIT_CONFIG" ]; then GIT_CONFIG_GLOBAL="$OWNERS_GIT_CONFIG"; export GIT_CONFIG_GLOBAL; fi;',
    "git",
    ...settings.map((setting) => `-c ${shellQuoted(setting)}`),
    "receive-pack",
  ].join(" ");
  const args = [
    "-c",
    "push.recurseSubmodules=no",
    "push",
    "--porcelain",
    "--quiet",
    "--no-verify",
    "--atomic",
    ...moves.map(({ name, from }) => `--force-with-lease=${name}:${from ?? ""}`),
    `--receive-pack=${receiver}`,
    "--",
    git.places.commonDirectory,
    ...moves.map(({ name, to }) => `${to ?? ""}:${name}`),
  ];
  const env = { ...git.storeEnvironment, ...cleanEnvironment(ownersSettings()), GIT_ALLOW_PROTOCOL: "file" };
  const { exitCode, stdout } = await runGit(args, { cwd: git.noHooks, env, allowed: [0, 1] });
  if (exitCode === 0) return null;
  const refused = stdout.toString().match(/^!\t.*\[(?:remote )?rejected\] \((.*)\)$/gm) ?? [];
  const words = refused.map((line) => line.replace(/^.*? \((.*)\)$/, "$1"));
  const told = words.find((word) => WORK_TREE.test(word)) ?? words[0] ?? "the clone refused the push";
  return { words: told, workTree: WORK_TREE.test(told) };
}

/** Variables that lead git to its owner's settings; `OWNERS_GIT_CONFIG` is what their GIT_CONFIG_GLOBAL names. */
export function ownersSettings(): Record<string, string> {
  const found = OWNERS.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const config = process.env.GIT_CONFIG_GLOBAL;
  return { ...Object.fromEntries(found), ...(config !== undefined && { OWNERS_GIT_CONFIG: config }) };
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
