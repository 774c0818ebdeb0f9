/**
 * What may be seen of a repository. Denied is what the registry denies, what HEAD's wiki file denies and what the
 * cited commit's denies: an old commit is no way around a new rule, a new one no way around an old rule.
 *
 * - `entry.deny` and `safety.deny` deny to everything: read, prove, verify, search, docs, compare, mutation.
 * - The default deny list does too; `entry.allow` lifts that list and nothing else.
 * - A wiki file that cannot be read denies every path.
 * - `collections`, `expose` and `exclude` narrow documentation only, as documentation: search_docs, get_doc, briefs
 *   and counts. The same file stays readable by path, as source.
 *
 * Reasons name the rule by its place, never by content of the repository.
 */
import { GitpinError } from "../../errors.ts";
import type { RepositoryEntry } from "../../schema/registry.ts";
import { defaultDenyRule } from "./default-deny.ts";
import { compileGlobs, GlobError, type GlobSet } from "./glob.ts";
import { exposesDocument, type WikiPolicy } from "./wiki-policy.ts";

export type Decision = { allowed: true } | { allowed: false; rule: string; reason: string };

export interface PolicyContext {
  entry: RepositoryEntry;
  /** HEAD's wiki files. */
  headWiki: WikiPolicy;
  /** The cited commit's; the same object when HEAD is what is cited. */
  citedWiki: WikiPolicy;
}

export interface Policy {
  /** Any path, of a file or a directory. */
  decide(path: string): Decision;
  /** By the registry's `docs`, else by extension. */
  isDocumentation(path: string): boolean;
  /** Documentation, not denied, and shown by every wiki file that applies. */
  exposesDocument(path: string): boolean;
}

/** Compile once per call, decide for many paths. Throws `internal` for a registry glob that cannot be read. */
export function createPolicy({ entry, headWiki, citedWiki }: PolicyContext): Policy {
  const registry = registryGlobs(entry);
  const wikis: [string, WikiPolicy][] = [["HEAD", headWiki]];
  if (citedWiki !== headWiki) wikis.push(["the cited commit", citedWiki]);

  const decide = (path: string): Decision => {
    const denied = registry.deny(path);
    if (denied !== -1) {
      return forbid(`registry: deny[${denied}]`, "The registry forbids this path.");
    }
    for (const [where, wiki] of wikis) {
      const decision = decideByWiki(path, wiki, where);
      if (!decision.allowed) return decision;
    }
    const rule = defaultDenyRule(path);
    if (rule !== null && registry.allow(path) === -1) {
      return forbid(`default: ${rule}`, `Paths that look like secrets (${rule}) are not served.`);
    }
    return { allowed: true };
  };

  const isDocument = (path: string) => matchesDocs(path, registry);
  return {
    decide,
    isDocumentation: isDocument,
    exposesDocument: (path) =>
      isDocument(path) && decide(path).allowed && wikis.every(([, wiki]) => exposesDocument(path, wiki)),
  };
}

/** One path; use `createPolicy` for several. */
export const decide = (path: string, context: PolicyContext): Decision => createPolicy(context).decide(path);

/** Whether the registry takes the path for documentation, without any wiki file. */
export const isDocumentation = (path: string, entry: RepositoryEntry): boolean =>
  matchesDocs(path, registryGlobs(entry));

const DOCUMENT_EXTENSION = /\.(?:md|mdx|rst|adoc|txt)$/i;

function matchesDocs(path: string, { docsInclude, docsExclude }: RegistryGlobs): boolean {
  if (docsExclude(path) !== -1) return false;
  return docsInclude === null ? DOCUMENT_EXTENSION.test(path) : docsInclude(path) !== -1;
}

function decideByWiki(path: string, wiki: WikiPolicy, where: string): Decision {
  if (wiki.kind === "invalid") {
    return forbid(
      `wiki: ${wiki.path}`,
      `${wiki.path} at ${where} cannot be read (${wiki.reason}), so nothing of this repository is served.`,
    );
  }
  for (const rules of wiki.rules) {
    const index = rules.denied(path);
    if (index !== -1) {
      return forbid(
        `wiki: ${rules.path}: safety.deny[${index}]`,
        `The repository's own policy (${rules.path} at ${where}) forbids this path.`,
      );
    }
  }
  return { allowed: true };
}

const forbid = (rule: string, reason: string): Decision => ({ allowed: false, rule, reason });

interface RegistryGlobs {
  deny: GlobSet;
  allow: GlobSet;
  /** Null: by extension. */
  docsInclude: GlobSet | null;
  docsExclude: GlobSet;
}

// An entry is parsed once and asked for on every call; its compiled form goes when it goes.
const compiled = new WeakMap<RepositoryEntry, RegistryGlobs>();

function registryGlobs(entry: RepositoryEntry): RegistryGlobs {
  const known = compiled.get(entry);
  if (known !== undefined) return known;
  const include = entry.docs?.include ?? [];
  const globs: RegistryGlobs = {
    deny: compileField(entry, "deny", entry.deny),
    allow: compileField(entry, "allow", entry.allow),
    docsInclude: include.length === 0 ? null : compileField(entry, "docs.include", include),
    docsExclude: compileField(entry, "docs.exclude", entry.docs?.exclude ?? []),
  };
  compiled.set(entry, globs);
  return globs;
}

/** Globs of an entry that cannot be used, as `deny.0: ...`; a registry is checked with it before it is taken. */
export function globFaults(entry: RepositoryEntry): string[] {
  const fields: [string, readonly string[]][] = [
    ["deny", entry.deny],
    ["allow", entry.allow],
    ["docs.include", entry.docs?.include ?? []],
    ["docs.exclude", entry.docs?.exclude ?? []],
    ["writable.branches", entry.writable === false ? [] : entry.writable.branches],
    ["writable.paths", entry.writable === false ? [] : entry.writable.paths],
  ];
  return fields.flatMap(([field, globs]) => {
    try {
      compileGlobs(globs);
      return [];
    } catch (error) {
      if (error instanceof GlobError) return [`${field}.${error.index}: ${error.message}`];
      throw error;
    }
  });
}

function compileField(entry: RepositoryEntry, field: string, globs: readonly string[]): GlobSet {
  try {
    return compileGlobs(globs);
  } catch (cause) {
    if (!(cause instanceof GlobError)) throw cause;
    throw new GitpinError(
      "internal",
      `The registry entry of ${entry.name} has a glob that cannot be used: ${field}[${cause.index}] is ${cause.message}.`,
      "The operator has to mend the registry.",
      { repository: entry.name, field: `${field}[${cause.index}]` },
      { cause },
    );
  }
}
