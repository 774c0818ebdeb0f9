/** The entries of one state of the registry as each view sees them, worked out once per view. See `visibility.ts`. */
import type { Caller } from "../ports/registry.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { entriesInView, type VisibilityRules, viewOf } from "./visibility.ts";

interface Seen {
  entries: readonly RepositoryEntry[];
  byName: ReadonlyMap<string, RepositoryEntry>;
}

export class Views {
  readonly #entries: readonly RepositoryEntry[];
  readonly #rules: VisibilityRules;
  readonly #seen = new Map<string, Seen>();

  constructor(entries: readonly RepositoryEntry[], rules: VisibilityRules) {
    this.#entries = entries;
    this.#rules = rules;
  }

  of(caller: Caller): Seen {
    const view = viewOf(caller, this.#rules.anonymous);
    const key = view.kind === "team" ? `team:${view.team}` : view.kind;
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    const entries = entriesInView(this.#entries, view, this.#rules.teams);
    const seen = { entries, byName: new Map(entries.map((entry) => [entry.name, entry])) };
    this.#seen.set(key, seen);
    return seen;
  }
}
