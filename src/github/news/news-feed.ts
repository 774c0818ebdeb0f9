/**
 * The news as one isolate knows them: asked for at most once in `maxAgeMs`, at the start of a call, and read from memory then.
 * That bound is what "at once" means for other isolates than the one that took the webhook. When the object cannot be asked,
 * what is known stands, and tips go by their age alone.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Crossing } from "../budget/crossing.ts";
import { type Gone, type Named, NEVER, type News, type NewsDelta } from "./news.ts";
import type { NewsStore } from "./news-store.ts";

interface Standing {
  /** The one it has now, then those it had. */
  names: readonly string[];
  at: number;
  position: number;
  gone: Gone | null;
  private: boolean;
}

const nameOf = ({ owner, repo }: Named): string => `${owner}/${repo}`.toLowerCase();

export class NewsFeed implements News {
  readonly #home: Pick<Crossing<NewsStore>, "since">;
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #tips = new Map<string, number>();
  readonly #byId = new Map<number, Standing>();
  /** Ids of all that have or had the name. */
  readonly #byName = new Map<string, Set<number>>();
  readonly #owners = new Map<string, { at: number; gone: Gone | null }>();
  #position = 0;
  #askedAt = NEVER;
  #known = false;
  /** Times the object could not be asked since this isolate started. */
  failures = 0;

  constructor(home: Pick<Crossing<NewsStore>, "since">, clock: Clock, maxAgeMs: number) {
    this.#home = home;
    this.#clock = clock;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Brings the news up to date, unless they are fresh enough. Never throws. */
  async refresh(): Promise<void> {
    const now = this.#clock.now();
    // Others go on with what is known while one call asks; before anything is known, each asks.
    if (this.#known && now - this.#askedAt < this.#maxAgeMs) return;
    this.#askedAt = now;
    try {
      this.#adopt(await this.#home.since(this.#position));
      this.#known = true;
    } catch {
      this.failures += 1;
    }
  }

  /** Makes the next call ask: what this isolate has just written, it knows at once. */
  expire(): void {
    this.#askedAt = NEVER;
  }

  /** False: nothing was ever read here, so nobody can say what is still public. */
  get known(): boolean {
    return this.#known;
  }

  /** How far this isolate has read. */
  get position(): number {
    return this.#position;
  }

  tipChangedAt(repositoryId: number, refs: readonly string[]): number {
    const standing = this.#byId.get(repositoryId)?.at ?? NEVER;
    return Math.max(standing, ...refs.map((ref) => this.#tips.get(`${repositoryId} ${ref}`) ?? NEVER));
  }

  repositoryChangedAt(repository: Named): number {
    const owner = this.#owners.get(repository.owner.toLowerCase())?.at ?? NEVER;
    return Math.max(owner, ...this.#standings(repository).map(({ at }) => at));
  }

  gone(repository: Named): Gone | null {
    const all = this.#standings(repository);
    const now =
      repository.id === undefined ? all.filter(({ names }) => names[0] === nameOf(repository)) : all;
    // A name that was given on says nothing of who has it now; one that nobody has is that of its last holder.
    const [latest] = (now.length > 0 ? now : all).toSorted((a, b) => b.position - a.position);
    return latest?.gone ?? this.#owners.get(repository.owner.toLowerCase())?.gone ?? null;
  }

  isPrivate(repository: Named): boolean {
    return this.#standings(repository).some((standing) => standing.private);
  }

  #standings(repository: Named): Standing[] {
    // An entry with an id is that repository, whatever its name is given to; one without is all that ever had its name.
    const ids = repository.id === undefined ? (this.#byName.get(nameOf(repository)) ?? []) : [repository.id];
    return [...ids].flatMap((id) => this.#byId.get(id) ?? []);
  }

  #adopt({ position, tips, repositories, owners }: NewsDelta): void {
    for (const { repositoryId, ref, at } of tips) this.#tips.set(`${repositoryId} ${ref}`, at);
    for (const { repositoryId, ...standing } of repositories) {
      this.#byId.set(repositoryId, standing);
      for (const name of standing.names) {
        this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(repositoryId));
      }
    }
    for (const { owner, at, gone } of owners) this.#owners.set(owner, { at, gone });
    this.#position = Math.max(this.#position, position);
  }
}
