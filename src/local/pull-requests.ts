// Pull requests that were opened at this host, by repository: numbers, who opened them, from which branch into which.
// Owns: that there is one open pull request from a branch into another at most. They live as long as the host does; what
// they show of commits is read from the repository when asked. Refuses nothing by itself.
import type { ServedRepository } from "./directory.ts";

export interface PullRequest {
  number: number;
  title: string;
  body: string | null;
  draft: boolean;
  /** Branches of the same repository, without `refs/heads/`. */
  head: string;
  base: string;
  /** Whose it is. */
  login: string;
  maintainerCanModify: boolean;
  /** Where both stood when it was opened: shown when a branch is gone. */
  headSha: string;
  baseSha: string;
  /** Seconds since the epoch. */
  openedAt: number;
}

export class PullRequests {
  readonly #all = new Map<number, PullRequest[]>();

  /** Those of a repository, oldest first. */
  of({ id }: ServedRepository): readonly PullRequest[] {
    return this.#all.get(id) ?? [];
  }

  open(repository: ServedRepository, opened: Omit<PullRequest, "number">): PullRequest {
    const known = this.of(repository);
    const pull = { ...opened, number: known.length + 1 };
    this.#all.set(repository.id, [...known, pull]);
    return pull;
  }
}
