/**
 * What GitHub told this service by webhook: that something about a repository changed, and what must not be taken for granted
 * any more. News never makes more visible than before: they void what is remembered and hide; only asking GitHub brings back.
 */

/** Names a repository as a registry entry may: by id, or by `owner/name`. */
export interface Named {
  id?: number | undefined;
  owner: string;
  repo: string;
}

/** Why a repository can no longer be read, as far as GitHub told. */
export type Gone = "deleted" | "no_access";

/** Read without asking anyone: from this isolate's memory. Times are milliseconds since the Unix epoch. */
export interface News {
  /** When the tip of one of these refs (full names, or `HEAD`) last may have moved. */
  tipChangedAt(repositoryId: number, refs: readonly string[]): number;
  /** When something about the repository itself last changed: its name, visibility, default branch, existence. */
  repositoryChangedAt(repository: Named): number;
  /** By name: of the repository that has the name now, or else had it last. */
  gone(repository: Named): Gone | null;
  /** Told to be private, and not found public again since. By name: so is any repository that ever had it. */
  isPrivate(repository: Named): boolean;
}

export const NEVER = Number.NEGATIVE_INFINITY;

/** Where there are no webhooks. */
export const noNews: News = {
  tipChangedAt: () => NEVER,
  repositoryChangedAt: () => NEVER,
  gone: () => null,
  isPrivate: () => false,
};

/** One thing that a webhook tells, in the form in which it is kept. */
export type NewsItem =
  /** `refs`: the full name, and `HEAD` where it is the default branch. */
  | { kind: "push"; repositoryId: number; refs: string[] }
  | {
      kind: "repository";
      repositoryId: number;
      /** `owner/name` now and before. */
      names: string[];
      /** Undefined: nothing new about it. */
      gone?: Gone | null;
      private?: boolean;
      /** Only to be kept while there is no news of the repository after this position. */
      unchangedSince?: number;
    }
  /** All repositories of an owner that no list names. */
  | { kind: "owner"; owner: string; gone: Gone | null };

/** What an isolate has not seen yet. */
export interface NewsDelta {
  /** Ask for what is after this next time. */
  position: number;
  tips: { repositoryId: number; ref: string; at: number }[];
  /** In the order of arrival. */
  repositories: {
    repositoryId: number;
    /** The one it has now, then those it had. */
    names: string[];
    at: number;
    position: number;
    gone: Gone | null;
    private: boolean;
  }[];
  owners: { owner: string; at: number; gone: Gone | null }[];
}
