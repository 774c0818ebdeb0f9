/**
 * What callers with the write scope may change of a repository, by its registry entry. Pure. Everything is refused that the
 * entry does not open: a grant is read narrowly, so its globs match case by case, unlike those that deny.
 *
 * - A team changes its own entries. Who has no team and may write (the operator, the owner of a local service) changes all.
 * - `writable.branches` are globs over branch names, `writable.paths` over whole paths.
 * - What the registry denies is never changed, nor what looks like a secret: not even where `allow` lets it be read.
 * - Some places decide what runs, who reviews and what may be seen (`GUARDED`). A pattern opens such a place only if it is
 *   written to start with it: `**` opens none of them, `.github/**` all of `.github` but `workflows` and `actions`.
 *
 * The wiki files' own denials depend on a commit and are `policy.ts`'s to say; who commits asks both.
 */
import { GitpinError } from "../../errors.ts";
import type { RepositoryEntry } from "../../schema/registry.ts";
import { defaultDenyRule } from "./default-deny.ts";
import { compileGlobs, type GlobSet } from "./glob.ts";
import type { Decision } from "./policy.ts";

/**
 * Files and folders that a pattern must name to open them. Workflows and actions run with the repository's secrets, the rest
 * of `.github` steers them; code owners say whose review counts (GitHub reads these three places); the others are this
 * service's own policy files.
 */
export const GUARDED: readonly string[] = [
  ".github/workflows",
  ".github/actions",
  ".github",
  "codeowners",
  "docs/codeowners",
  ".gitpin",
  "docs/wiki.yaml",
];

/** Whether a caller of this team (null: of none) may change anything there. The scope is the caller's to have. */
export function mayWriteRepository(entry: RepositoryEntry, team: string | null): Decision {
  if (entry.writable === false) {
    return refuse("registry: writable", "The registry opens this repository to no changes.");
  }
  if (team !== null && entry.team !== team) {
    return refuse("registry: team", "Only repositories of the token's own team may be changed.");
  }
  return { allowed: true };
}

/** `branch` without `refs/heads/`. */
export function mayWriteBranch(entry: RepositoryEntry, branch: string): Decision {
  if (entry.writable === false) return mayWriteRepository(entry, null);
  if (grantOf(entry).branches(branch) !== -1) return { allowed: true };
  return refuse("registry: writable.branches", "The registry does not open this branch to changes.");
}

/** A file that exists or would be made. `path`: one that a git tree can hold (`git/path.ts`). */
export function mayWritePath(entry: RepositoryEntry, path: string): Decision {
  if (entry.writable === false) return mayWriteRepository(entry, null);
  if (path.split("/").some(isGitFolder)) {
    return refuse("git", "A path through a folder that git takes for its own is never written.");
  }
  const grant = grantOf(entry);
  const denied = grant.deny(path);
  if (denied !== -1) return refuse(`registry: deny[${denied}]`, "The registry forbids this path.");
  const secret = defaultDenyRule(path);
  if (secret !== null) {
    return refuse(`default: ${secret}`, `Paths that look like secrets (${secret}) are not changed.`);
  }
  if (grant.paths(path) === -1) {
    return refuse("registry: writable.paths", "The registry does not open this path to changes.");
  }
  const place = guardedPlaceOf(path);
  if (place === null || (grant.opened.get(place)?.(path) ?? -1) !== -1) return { allowed: true };
  return refuse(
    `guarded: ${place}`,
    `${place} is changed only where writable.paths has a pattern that starts with it.`,
  );
}

/**
 * Throws `write_not_allowed` for the first thing that may not be changed; `data.rule` says by what. Without a branch only the
 * repository and the paths are asked about.
 */
export function assertMayWrite(
  entry: RepositoryEntry,
  { team, branch, paths }: { team: string | null; branch?: string; paths: readonly string[] },
): void {
  const asked: [data: Record<string, string>, decision: Decision][] = [
    [{}, mayWriteRepository(entry, team)],
    ...(branch === undefined
      ? []
      : ([[{ branch }, mayWriteBranch(entry, branch)]] satisfies [Record<string, string>, Decision][])),
    ...paths.map((path): [Record<string, string>, Decision] => [{ path }, mayWritePath(entry, path)]),
  ];
  for (const [data, decision] of asked) {
    if (decision.allowed) continue;
    throw new GitpinError(
      "write_not_allowed",
      decision.reason,
      "Change what the registry opens to changes, or ask an admin to open this; nothing was changed.",
      { repository: entry.name, ...data, rule: decision.rule },
    );
  }
}

const refuse = (rule: string, reason: string): Decision => ({ allowed: false, rule, reason });

/** The narrowest guarded place that holds the path, or null. Case does not count: some file systems do not count it either. */
function guardedPlaceOf(path: string): string | null {
  const name = path.toLowerCase();
  return GUARDED.find((place) => isWithin(name, place)) ?? null;
}

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/** Characters that HFS+ leaves out of names, so that `.g\u200cit` is `.git` there. */
const HFS_IGNORES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Names that some file system takes for `.git`: other case, NTFS's short name and trailing dots, HFS's ignored characters. */
function isGitFolder(segment: string): boolean {
  const name = segment
    .replace(HFS_IGNORES, "")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return name === ".git" || name === "git~1";
}

interface Grant {
  branches: GlobSet;
  paths: GlobSet;
  deny: GlobSet;
  /** By guarded place: the patterns that start with it. */
  opened: ReadonlyMap<string, GlobSet>;
}

// An entry is parsed once and asked for on every call; its compiled form goes when it goes.
const compiled = new WeakMap<RepositoryEntry, Grant>();

/** The entry's globs were checked when it was read (`policy.ts`, `globFaults`). */
function grantOf(entry: RepositoryEntry): Grant {
  const known = compiled.get(entry);
  if (known !== undefined) return known;
  const { branches, paths } = entry.writable === false ? { branches: [], paths: [] } : entry.writable;
  const exactly = (globs: readonly string[]) => compileGlobs(globs, { matchCase: true });
  const grant: Grant = {
    branches: exactly(branches),
    paths: exactly(paths),
    deny: compileGlobs(entry.deny),
    opened: new Map(
      GUARDED.map((place) => [place, exactly(paths.filter((pattern) => isWithin(rootless(pattern), place)))]),
    ),
  };
  compiled.set(entry, grant);
  return grant;
}

const rootless = (pattern: string): string => pattern.replace(/^\/+/, "").toLowerCase();
