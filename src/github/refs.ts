/**
 * Names of refs, as registries and callers write them. Owns what a name stands for and which names may be asked for: those
 * registered, and branches that the registry opens to changes (who commits to one must be able to read it).
 * A bare name is a branch, or a tag when there is no such branch; never an object id. Nothing outside the registry is asked for.
 */
import { mayWriteBranch } from "../core/policy/writable.ts";
import { GitpinError } from "../errors.ts";
import type { RepositoryEntry } from "../schema/registry.ts";

/** The tip of the default branch, whatever its name. */
export const DEFAULT_REF = "HEAD";

/** Full names that a registered name may stand for, in the order in which they are tried. */
export function fullNames(name: string): string[] {
  if (name === DEFAULT_REF || name.startsWith("refs/")) return [name];
  if (name.startsWith("heads/") || name.startsWith("tags/")) return [`refs/${name}`];
  return [`refs/heads/${name}`, `refs/tags/${name}`];
}

/** The registered names, the default one first. */
export const registeredRefs = (entry: RepositoryEntry): string[] => [
  ...new Set([entry.ref ?? DEFAULT_REF, ...entry.refs]),
];

/** How a full name is asked for at `commits/{ref}`: one encoded segment, without `refs/`. */
export const askedRef = (full: string): string => encodeURIComponent(full.replace(/^refs\//, ""));

/**
 * The registered name that a caller's name means: the first one that may stand for a full name the caller's may stand for.
 * `defaultBranch` lets a caller name the default branch. A branch that is open to changes is known by its full name. Null: neither.
 */
export function registeredName(
  entry: RepositoryEntry,
  asked: string,
  defaultBranch: string | null,
): string | null {
  if (asked === DEFAULT_REF) return entry.ref ?? DEFAULT_REF;
  const registered = registeredRefs(entry);
  for (const full of fullNames(asked)) {
    const match = registered.find((name) =>
      name === DEFAULT_REF ? full === `refs/heads/${defaultBranch}` : fullNames(name)[0] === full,
    );
    if (match !== undefined) return match;
  }
  return fullNames(asked).find((full) => isWritable(entry, full)) ?? null;
}

const BRANCHES = "refs/heads/";

const isWritable = (entry: RepositoryEntry, full: string): boolean =>
  full.startsWith(BRANCHES) && mayWriteBranch(entry, full.slice(BRANCHES.length)).allowed;

/**
 * The bare registered name that a caller's tag name means, provided that there is no such branch: whoever uses this
 * checks what the bare name led to. Null: there is no such registered name.
 */
export function bareNameOfTag(entry: RepositoryEntry, asked: string): string | null {
  const full = fullNames(asked).at(-1);
  return registeredRefs(entry).find((name) => fullNames(name)[1] === full) ?? null;
}

export const refNotRegistered = (entry: RepositoryEntry, asked: string): GitpinError =>
  new GitpinError(
    "ref_not_registered",
    `The ref ${JSON.stringify(asked)} is none of the registered refs of ${entry.name}.`,
    "Name one of the registered refs, or leave the ref out for the default one.",
    { repository: entry.name, ref: asked, registered: registeredRefs(entry) },
  );

/** A registered name is the registry's to correct. Any other one that gets as far as this is a branch open to changes, which a caller named. */
export const refMissing = (entry: RepositoryEntry, name: string): GitpinError =>
  registeredRefs(entry).includes(name)
    ? registeredRefMissing(entry, name)
    : branchMissing(entry, name.slice(BRANCHES.length));

const branchMissing = (entry: RepositoryEntry, branch: string): GitpinError =>
  new GitpinError(
    "branch_missing",
    `${entry.name} has no branch ${JSON.stringify(branch)}.`,
    "Name a branch that is there; a call that commits makes a new one where it says create_branch true.",
    { repository: entry.name, branch },
  );

const registeredRefMissing = (entry: RepositoryEntry, name: string): GitpinError =>
  new GitpinError(
    "ref_missing",
    `The ref ${JSON.stringify(name)} of ${entry.name} does not exist at GitHub.`,
    "Name another registered ref, or ask the operator to correct the registry.",
    { repository: entry.name, ref: name },
  );
