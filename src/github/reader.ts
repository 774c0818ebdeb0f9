/**
 * The `RepositoryReader` of one registered repository for one call. Puts the object families together; asks nothing itself.
 * One call sees one tip of each ref, however often it asks for it.
 */
import type { ObjectId } from "../core/git/object-id.ts";
import type { CodeSearchFinding } from "../ports/code-search.ts";
import type { Head, RepositoryFacts, RepositoryReader } from "../ports/repository-reader.ts";
import { resolveAbbreviation } from "./abbreviations.ts";
import type { Asking } from "./asking.ts";
import { readBlobLines } from "./blob-lines.ts";
import { readBlob } from "./blobs.ts";
import { type CommitFilesOptions, visitFiles, visitStoredFiles } from "./commit-files.ts";
import { readCommit } from "./commits.ts";
import { nameToldWith, readHead } from "./heads.ts";
import { readCommitsBetween, readLog } from "./history.ts";
import { type IdentityScope, identityCheckedAt, identityOf, isNews, knownIdentity } from "./identity.ts";
import { isReachable, keepOpenTip } from "./reachability.ts";
import { bareNameOfTag, DEFAULT_REF, refNotRegistered, registeredName, registeredRefs } from "./refs.ts";
import { readRelation } from "./relation.ts";
import type { Repository } from "./repository.ts";
import { findEntry, listDirectory, listKnownPaths, listPaths } from "./tree-walk.ts";

export interface ReaderOptions {
  identities: IdentityScope;
  asking: Asking;
  /** Binds the repository once its numeric id is known. */
  bind: (id: number) => Repository;
  headMaxAgeMs: number;
  maxBlobBytes: number;
  archives: CommitFilesOptions;
  codeSearch: (
    repository: Repository,
    fullName: string,
    words: readonly string[],
  ) => Promise<CodeSearchFinding>;
}

export function createReader(options: ReaderOptions): RepositoryReader {
  const { identities, asking, bind, headMaxAgeMs, maxBlobBytes } = options;
  const { entry } = asking;
  const identity = () => identityOf(identities, asking);

  const freshMs = Math.min(headMaxAgeMs, Math.max(1000, headMaxAgeMs / 10));

  let bound: Repository | null = entry.id === undefined ? null : bind(entry.id);
  const repository = async (): Promise<Repository> => {
    bound ??= bind((await identity()).id);
    return bound;
  };

  const seen = new Map<string, Head>();
  /** `name` as the registry writes it. */
  const headOf = async (name: string): Promise<Head> => seen.get(name) ?? headWithin(name, headMaxAgeMs);
  /** For the rest of the call it is the tip. */
  const headWithin = async (name: string, maxAgeMs: number): Promise<Head> => {
    const head = await readHead(await repository(), name, maxAgeMs);
    const known = head.ref === DEFAULT_REF ? knownIdentity(identities, entry) : null;
    const named = known === null ? head : { ...head, ref: `refs/heads/${known.defaultBranch}` };
    seen.set(name, named);
    return named;
  };

  /** The tip a caller means. Only a name that may be the default branch's costs a look at the repository itself. */
  const headNamed = async (asked: string): Promise<Head> => {
    const name = registeredName(entry, asked, null);
    if (name !== null) {
      const head = await headOf(name);
      // A branch that is open to changes: what follows names the commit alone.
      if (!registeredRefs(entry).includes(name)) keepOpenTip(await repository(), head.sha);
      return head;
    }
    const bare = bareNameOfTag(entry, asked);
    const tagged = bare === null ? null : await headOf(bare);
    if (tagged?.ref.startsWith("refs/tags/")) return tagged;
    const branch = entry.ref === undefined ? (await identity()).defaultBranch : null;
    if (branch === null || registeredName(entry, asked, branch) === null)
      throw refNotRegistered(entry, asked);
    return headOf(DEFAULT_REF);
  };

  const facts = async (): Promise<RepositoryFacts | null> => {
    const known = isNews(identities, entry) ? await identity() : knownIdentity(identities, entry);
    const told = bound === null ? null : nameToldWith(bound, entry.ref ?? DEFAULT_REF);
    if (told === null || (known !== null && identityCheckedAt(identities, entry) >= told.askedAt))
      return known;
    return { fullName: told.fullName, archived: known?.archived ?? null };
  };

  return {
    identity,
    facts,
    head: (ref) => headNamed(ref ?? DEFAULT_REF),
    commit: async (sha) => readCommit(await repository(), sha),
    resolveAbbreviation: async (digits) => resolveAbbreviation(await repository(), digits),
    entry: async (commit, path) => findEntry(await repository(), commit.tree, path),
    directory: async (commit, path) => listDirectory(await repository(), commit.tree, path),
    paths: async (commit) => listPaths(await repository(), commit.tree),
    pathsIfKnown: async (commit) => listKnownPaths(await repository(), commit.tree),
    blob: async (id: ObjectId) => readBlob(await repository(), id, maxBlobBytes),
    lines: async (found, range) => readBlobLines(await repository(), found, range, maxBlobBytes),
    files: async (commit, read) => visitFiles(await repository(), commit, read, options.archives),
    storedFiles: async (commit, read) => visitStoredFiles(await repository(), commit, read, options.archives),
    codeSearch: async (words) => options.codeSearch(await repository(), (await identity()).fullName, words),
    log: async (sha, count) => readLog(await repository(), sha, count),
    relation: async (base, head) => readRelation(await repository(), base, head),
    commitsBetween: async (base, head, offset, count) =>
      readCommitsBetween(await repository(), base, head, offset, count),
    reachable: async (sha) =>
      isReachable(await repository(), sha, {
        head: headOf,
        freshHead: (name) => headWithin(name, freshMs),
        freshMs,
      }),
  };
}
