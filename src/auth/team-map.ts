/**
 * What a team may register, as the operator's configuration says. Pure. GitHub's names are case-insensitive, and so is this.
 * Decides for writes to the registry and again for every read (`registry/within-team.ts`): a team that lost an owner in
 * the configuration loses its repositories at the same moment.
 */
import type { TeamRule, TeamRules } from "../schema/teams.ts";

export interface TeamMap {
  names: readonly string[];
  has(team: string): boolean;
  allows(team: string, owner: string, repo: string): boolean;
  /** The rule in words, for the error that names it. */
  describe(team: string): string;
}

export function teamMap(rules: TeamRules): TeamMap {
  const teams = new Map<string, TeamRule>(Object.entries(rules));
  const allowed = new Map(
    [...teams].map(([team, rule]) => [
      team,
      {
        owners: new Set(rule.owners.map((owner) => owner.toLowerCase())),
        repositories: new Set(rule.repositories.map((name) => name.toLowerCase())),
      },
    ]),
  );
  return {
    names: [...teams.keys()],
    has: (team) => teams.has(team),
    allows(team, owner, repo) {
      const rule = allowed.get(team);
      if (rule === undefined) return false;
      const name = owner.toLowerCase();
      return rule.owners.has(name) || rule.repositories.has(`${name}/${repo.toLowerCase()}`);
    },
    describe(team) {
      const rule = teams.get(team);
      if (rule === undefined) return "nothing";
      return [...rule.owners.map((owner) => `${owner}/*`), ...rule.repositories].join(", ");
    },
  };
}
