/**
 * The live registry in the memory of one isolate: the last good state of every section, and who sees what of it.
 * Every presented token is looked up in the object, so a revocation holds from the next call on, everywhere; the same look brings
 * the registry up to date. Calls without a token look at most once in `maxAgeMs`. When the object cannot be asked, a token cannot
 * be checked and is refused (503); calls without one are served from the last good state, which says that it is old.
 * A section whose text does not hold (a damaged row, a newer form) never replaces the good one in memory.
 */
import type { TokenVerdict } from "../auth/gate.ts";
import type { TokenProof } from "../auth/token.ts";
import { asGitpinError, GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Caller, Registry, RegistryStatus } from "../ports/registry.ts";
import type { RegistryFile, RepositoryEntry } from "../schema/registry.ts";
import { type Section, sectionsOf } from "./check-section.ts";
import { parseRegistry } from "./parse-registry.ts";
import type { RegistryHome } from "./registry-home.ts";
import type { Entered } from "./registry-store.ts";
import type { StoredSection } from "./section-table.ts";
import { Views } from "./views.ts";
import type { VisibilityRules } from "./visibility.ts";

export interface LiveRegistryOptions extends VisibilityRules {
  home: RegistryHome;
  clock: Clock;
  /** How old the registry may be for calls without a token, in milliseconds. */
  maxAgeMs: number;
  /** What an empty object starts with. Asked only then; may throw. */
  seed(): RegistryFile;
}

type Sections = Map<Section, readonly RepositoryEntry[]>;

export class LiveRegistry implements Registry {
  readonly #options: LiveRegistryOptions;
  #sections: Sections | null = null;
  #stamp = 0;
  #views: Views;
  /** When the object was last asked, and when it last answered; milliseconds since the Unix epoch. */
  #askedAt = Number.NEGATIVE_INFINITY;
  #readAt: number | null = null;
  #unreachable: GitpinError | null = null;
  #unreadable: string[] = [];

  constructor(options: LiveRegistryOptions) {
    this.#options = options;
    this.#views = new Views([], options);
  }

  /** The start of a call: what its token is worth, and a registry that is fresh enough for it. */
  async enter(proof: TokenProof | null): Promise<TokenVerdict | null> {
    const now = this.#options.clock.now();
    if (proof === null && this.#sections !== null && now - this.#askedAt < this.#options.maxAgeMs)
      return null;
    this.#askedAt = now;
    try {
      const { verdict } = await this.#look(proof);
      this.#unreachable = null;
      // A team that the operator took off the map is gone, and its tokens with it.
      const gone = verdict?.status === "good" && !this.#options.teams.has(verdict.team);
      return gone ? { status: "revoked" } : verdict;
    } catch (thrown) {
      const error = asGitpinError(thrown);
      this.#unreachable = error;
      if (proof === null && this.#sections !== null) return null;
      throw error;
    }
  }

  async visible(caller: Caller): Promise<readonly RepositoryEntry[]> {
    return this.#views.of(caller).entries;
  }

  async find(caller: Caller, name: string): Promise<RepositoryEntry | null> {
    return this.#views.of(caller).byName.get(name) ?? null;
  }

  status(): RegistryStatus {
    const readAt = this.#readAt === null ? null : new Date(this.#readAt).toISOString();
    if (this.#unreachable !== null) {
      const { code, message } = this.#unreachable;
      return { source: "live", readAt, stale: { code, reason: message } };
    }
    if (this.#unreadable.length === 0) return { source: "live", readAt, stale: null };
    return {
      source: "live",
      readAt,
      stale: {
        code: "registry_unreadable",
        reason: "A part of the stored registry does not hold; its last good state is used.",
      },
    };
  }

  async #look(proof: TokenProof | null): Promise<Entered> {
    const { home, seed, teams } = this.#options;
    let entered = await home.enter(proof, this.#stamp);
    if (entered.stamp === 0) {
      const sections = [...sectionsOf(seed(), teams)];
      await home.seed(sections.map(([section, entries]) => ({ section, entries })));
      entered = await home.enter(proof, this.#stamp);
    }
    this.#readAt = this.#options.clock.now();
    // Of two looks at a time the older may arrive last.
    if (entered.sections !== null && entered.stamp > this.#stamp)
      this.#adopt(entered.stamp, entered.sections);
    return entered;
  }

  #adopt(stamp: number, stored: readonly StoredSection[]): void {
    const sections: Sections = new Map();
    this.#unreadable = [];
    for (const { team, text } of stored) {
      const entries = entriesOf(text);
      if (entries === null) this.#unreadable.push(team ?? "");
      const standing = entries ?? this.#sections?.get(team);
      if (standing !== undefined) sections.set(team, standing);
    }
    this.#sections = sections;
    this.#stamp = stamp;
    this.#views = new Views([...sections.values()].flat(), this.#options);
  }
}

/** Null: it does not hold. */
function entriesOf(text: string): readonly RepositoryEntry[] | null {
  try {
    return parseRegistry(`{"version":1,"repositories":${text}}`, "The stored registry").repositories;
  } catch (thrown) {
    if (thrown instanceof GitpinError) return null;
    throw thrown;
  }
}
