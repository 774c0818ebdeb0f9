/**
 * Who sees which entry: the one place that decides it. Pure. What a caller does not see does not exist for that caller.
 *
 * Every entry is either a team's or (without `team`) the operator's. Only the operator's can be public.
 * - A public entry is seen by everybody, or with `anonymous: none` by who reads with a token.
 * - A team's entry is seen by tokens of that team with `pin:read`, while the operator's configuration allows the team its owner.
 * - The operator's private entries are seen by the operator.
 * - The operator (and everybody, under `anonymous: all`, which is for a service that its owner alone can reach) sees all.
 *
 * Names are unique within a team, not between teams: an error "this name is taken" would tell of another team's entry.
 * A team's own entry wins over a public one of the same name. The operator sees no name that would stand for entries of
 * several teams: to read as a team, use a token of that team.
 */
import type { TeamMap } from "../auth/team-map.ts";
import type { Caller } from "../ports/registry.ts";
import type { RepositoryEntry } from "../schema/registry.ts";

/** What callers without a credential see. `all` is for a service that only its owner can reach (loopback). */
export type AnonymousAccess = "none" | "public" | "all";

export interface VisibilityRules {
  anonymous: AnonymousAccess;
  teams: TeamMap;
}

/** Whose eyes a caller looks with: callers of one view see the same. */
export type View =
  | { kind: "everything" }
  | { kind: "team"; team: string }
  | { kind: "public" }
  | { kind: "nothing" };

export const isOperator = (caller: Caller): boolean =>
  caller.team === null && caller.scopes.includes("registry:admin");

export function viewOf(caller: Caller, anonymous: AnonymousAccess): View {
  if (isOperator(caller)) return { kind: "everything" };
  if (caller.team !== null && caller.scopes.includes("pin:read")) return { kind: "team", team: caller.team };
  if (anonymous === "none") return { kind: "nothing" };
  // A token that may not read never sees more than its holder would without it.
  return anonymous === "all" && caller.team === null ? { kind: "everything" } : { kind: "public" };
}

/** The entries of a view, in the registry's order, each name at most once. */
export function entriesInView(
  entries: readonly RepositoryEntry[],
  view: View,
  teams: TeamMap,
): RepositoryEntry[] {
  const standing = entries.filter(
    ({ team, owner, repo }) => team === undefined || teams.allows(team, owner, repo),
  );
  switch (view.kind) {
    case "nothing":
      return [];
    case "public":
      return standing.filter(isPublic);
    case "team":
      return withoutShadowed(standing, (entry) => entry.team === view.team, isPublic);
    case "everything":
      return withoutAmbiguous(standing);
  }
}

/** Whether everybody sees it, where callers without a credential see anything. */
export const isPublic = ({ team, visibility }: RepositoryEntry): boolean =>
  team === undefined && visibility === "public";

const nameOf = ({ name }: RepositoryEntry): string => name.toLowerCase();

function withoutShadowed(
  entries: readonly RepositoryEntry[],
  own: (entry: RepositoryEntry) => boolean,
  others: (entry: RepositoryEntry) => boolean,
): RepositoryEntry[] {
  const taken = new Set(entries.filter(own).map(nameOf));
  return entries.filter((entry) => own(entry) || (others(entry) && !taken.has(nameOf(entry))));
}

function withoutAmbiguous(entries: readonly RepositoryEntry[]): RepositoryEntry[] {
  const operators = new Set(entries.filter(({ team }) => team === undefined).map(nameOf));
  const ofTeams = new Map<string, number>();
  for (const entry of entries) {
    if (entry.team !== undefined) ofTeams.set(nameOf(entry), (ofTeams.get(nameOf(entry)) ?? 0) + 1);
  }
  return entries.filter(
    (entry) =>
      entry.team === undefined || (!operators.has(nameOf(entry)) && ofTeams.get(nameOf(entry)) === 1),
  );
}
