/**
 * Cache keys, for memory and stores alike; the one file that builds them.
 * Every key carries API host and the host's numeric repository id, so nothing crosses hosts or repositories, and a type, so
 * that what is read under it is what was written.
 */
import type { ObjectId } from "../core/git/object-id.ts";

declare const valueType: unique symbol;

/** A key under which values of type `T` lie. Plain text at run time. */
export type Key<T> = string & { readonly [valueType]?: T };

/** What a repository's keys start with. Raise the version when the form of a stored value changes. */
export interface KeySpace {
  /** Host (and base path, if any) of the API. */
  apiHost: string;
  repositoryId: number;
}

const FORM = "v1";

/** Immutable objects: `commit`, `blob`, `tree` (recursive listing), `level` (one tree). */
export type ObjectKind = "commit" | "blob" | "tree" | "level";

const space = ({ apiHost, repositoryId }: KeySpace): string => `${FORM}/${apiHost}/${repositoryId}`;

export const objectKey = <T>(keys: KeySpace, kind: ObjectKind, id: ObjectId): Key<T> =>
  `${space(keys)}/${kind}/${id}`;

/** Some lines of a blob that is too large to keep whole. */
export const linesKey = <T>(keys: KeySpace, id: ObjectId, start: number, end: number): Key<T> =>
  `${space(keys)}/lines/${id}/${start}-${end}`;

/** That a commit was once reachable from one of these refs; `refs` is a digest of their full names. */
export const reachableKey = <T>(keys: KeySpace, id: ObjectId, refs: string): Key<T> =>
  `${space(keys)}/reachable/${id}/${refs}`;

/** Branches that stood at a commit a moment ago, as one credential sees them. */
export const openTipKey = <T>(keys: KeySpace, id: ObjectId, credential: string): Key<T> =>
  `${space(keys)}/tip-of/${credential}/${id}`;

/** How two commits stand to each other. */
export const relationKey = <T>(keys: KeySpace, base: ObjectId, head: ObjectId): Key<T> =>
  `${space(keys)}/relation/${base}/${head}`;

/** A page of the host's comparison of two commits: commits on head and not on base. */
export const betweenKey = <T>(keys: KeySpace, base: ObjectId, head: ObjectId, page: number): Key<T> =>
  `${space(keys)}/between/${base}/${head}/${page}`;

/** The newest commits that a commit leads to. */
export const logKey = <T>(keys: KeySpace, id: ObjectId, count: number): Key<T> =>
  `${space(keys)}/log/${id}/${count}`;

/** A tip as one credential sees it; `credential` is a digest, never the token. */
export const headKey = <T>(keys: KeySpace, ref: string, credential: string): Key<T> =>
  `${space(keys)}/head/${credential}/${ref}`;

export const abbreviationKey = <T>(keys: KeySpace, digits: string): Key<T> =>
  `${space(keys)}/abbreviation/${digits}`;

/** Who a registered repository is: by its id, or by its name where the registry holds no id. */
export const identityKey = <T>(apiHost: string, repository: string, credential: string): Key<T> =>
  `${FORM}/${apiHost}/identity/${credential}/${repository}`;

/** A commit's archive: its manifest, and with a suffix its parts. */
export const archiveKey = <T>(keys: KeySpace, id: ObjectId): Key<T> => `${space(keys)}/archive/${id}`;
