/** Which section of the registry an admin's call is about: that of the credential, or the one the operator names. */
import { requireScope } from "../auth/bearer.ts";
import type { TeamMap } from "../auth/team-map.ts";
import { GitpinError } from "../errors.ts";
import type { TeamChoice } from "../ports/administration.ts";
import type { Caller } from "../ports/registry.ts";
import type { Section } from "./check-section.ts";
import { isOperator } from "./visibility.ts";

/** Throws `unauthorized` or `forbidden`, `invalid_argument` for a team that the operator's configuration does not name. */
export function sectionFor(caller: Caller, choice: TeamChoice, teams: TeamMap): Section {
  requireScope(caller, "registry:admin");
  if (!isOperator(caller)) {
    if (choice.team === undefined) return caller.team;
    throw new GitpinError(
      "forbidden",
      "Only the operator may name a team.",
      "Leave team out: yours follows from the token.",
      { field: "team" },
    );
  }
  if (choice.team === undefined) return null;
  if (teams.has(choice.team)) return choice.team;
  throw new GitpinError(
    "invalid_argument",
    `There is no team ${choice.team}.`,
    `The deployment's configuration (TEAMS) names: ${teams.names.join(", ") || "none"}.`,
    { field: "team" },
  );
}
