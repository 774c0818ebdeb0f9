/**
 * What the service needs of one registered, hosted repository. Implemented by `github/`; nobody above asks the host.
 * Every byte that comes out of here was hashed against the id it was asked for by (see `Proof` for what rests on
 * the host's word). Failures are `GitpinError`s with an upstream code; "not there" is null, never an exception.
 */
import type { LineRange } from "../core/git/lines.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import type { TreeEntry } from "../core/git/tree-entry.ts";
import type { CodeSearchFinding } from "./code-search.ts";
import type { FilesReader, FilesVisit } from "./commit-files.ts";
import type { RepositoryHistory } from "./repository-history.ts";

/** `hashed`: re-computed here from the bytes. `attested`: the host says so. */
export type Assurance = "hashed" | "attested";

export interface RepositoryIdentity {
  /** GitHub's numeric id: the identity, whatever the name does. */
  id: number;
  /** Canonical `owner/name` as the host spells it now. */
  fullName: string;
  defaultBranch: string;
  visibility: "public" | "private" | "internal";
  archived: boolean;
  /** Base URL of the web page, for permalinks, without a final slash. */
  webUrl: string;
}

/** What the repository says of itself. */
export interface RepositoryFacts {
  /** Canonical `owner/name` as the host spelt it last. */
  fullName: string;
  /** Null: not known. */
  archived: boolean | null;
}

export interface Head {
  /** Full ref name (`refs/heads/main`), or `HEAD` where the default branch's name is not known yet. */
  ref: string;
  sha: ObjectId;
  /** When the host last confirmed it, ISO 8601 UTC. */
  checkedAt: string;
  /** Set when the ref could not be refreshed within its bound and an older answer is used. */
  stale: { code: string; reason: string } | null;
}

export interface Person {
  name: string;
  email: string;
  /** ISO 8601 instant. GitHub drops the zone, so this is UTC. */
  date: string;
}

export interface Commit {
  sha: ObjectId;
  tree: ObjectId;
  parents: ObjectId[];
  author: Person;
  committer: Person;
  message: string;
  /** `hashed` when the commit's own bytes were rebuilt and hash to `sha`; then `tree` is proven too. */
  assurance: Assurance;
}

export interface FoundEntry {
  entry: TreeEntry;
  /** `hashed` when every tree from the root to this entry was re-encoded and has the id its parent names. */
  assurance: Assurance;
}

/** Lines of a blob, and what is to be said of it whole. */
export interface BlobLines {
  /** Terminators included; null when the blob lacks one of the lines. */
  bytes: Uint8Array | null;
  totalLines: number;
  /** The first 8,000 bytes, or all: what tells binary files and LFS pointers. */
  start: Uint8Array;
}

export interface Listing {
  /** Direct children of a directory, or all paths below it, in git's order. */
  entries: TreeEntry[];
  assurance: Assurance;
  /** False when the host cut the tree and it was not walked to the end. */
  complete: boolean;
}

export interface RepositoryReader extends RepositoryHistory {
  identity(): Promise<RepositoryIdentity>;

  /** What is known without asking the host, who is asked only where it told that something changed; null: nothing is. */
  facts(): Promise<RepositoryFacts | null>;

  /** Tip of a registered ref; without one, of the registered default. Refreshed within `HEAD_MAX_AGE`. */
  head(ref?: string): Promise<Head>;

  /** A full SHA. Null: the repository can be read and has no such commit. */
  commit(sha: ObjectId): Promise<Commit | null>;

  /** 7 to 39 hex digits, read as an object id only; throws `sha_not_resolved`. */
  resolveAbbreviation(digits: string): Promise<ObjectId>;

  /** The entry at a path of a commit; the root is the empty path. Null: no such path there. */
  entry(commit: Commit, path: string): Promise<FoundEntry | null>;

  /** Direct children of a directory of a commit. Null: no such directory. */
  directory(commit: Commit, path: string): Promise<Listing | null>;

  /** Every path of a commit that is not a directory, recursively. */
  paths(commit: Commit): Promise<Listing>;

  /** The same without asking the host: from memory or the store, or null. */
  pathsIfKnown(commit: Commit): Promise<Listing | null>;

  /** Exact bytes of a blob, hashed against its id. Throws `blob_too_large` above the service's bound. */
  blob(id: ObjectId): Promise<Uint8Array>;

  /**
   * Lets `read` look at all files of a commit, from its archive. Throws `archive_too_large`, `search_busy`, and what `read`
   * throws. One archive at a time is read in an isolate; a stored one costs no request.
   */
  files<T>(commit: Commit, read: FilesReader<T>): Promise<FilesVisit<T>>;

  /** The same without a request: null where the store does not hold the commit's archive as its tree has it. */
  storedFiles<T>(commit: Commit, read: FilesReader<T>): Promise<FilesVisit<T> | null>;

  /** Asks the host's code search for files that hold all these words. Throws `code_search_unsupported`. */
  codeSearch(words: readonly string[]): Promise<CodeSearchFinding>;

  /**
   * Lines of a blob: of one that may be read whole, or of a larger one (up to the host's 100 MB), which is hashed in
   * one pass and never held. Throws `blob_too_large` for a larger one, or for more lines than may be held.
   */
  lines(entry: TreeEntry, range: LineRange): Promise<BlobLines>;

  /**
   * Whether `sha` is an ancestor of, or equal to, the tip of any registered ref (the default one or `refs[]`);
   * null when it could not be found out.
   */
  reachable(sha: ObjectId): Promise<boolean | null>;
}
