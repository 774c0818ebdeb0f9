/**
 * The registry in sections: each team's entries, and the operator's own (those without a team). A section is what one admin
 * edits as a whole. Owns the check of a section before it may be stored: schema, names, and the operator's map of teams. Pure.
 */
import type { TeamMap } from "../auth/team-map.ts";
import { GitpinError } from "../errors.ts";
import type { RegistryFile, RepositoryEntry } from "../schema/registry.ts";
import { checkRegistry, invalidRegistry } from "./parse-registry.ts";

/** A team's name, or null for the operator's own section. */
export type Section = string | null;

/** Most bytes of a section's JSON: one row of the object's storage holds less than 2 MB. */
export const SECTION_BYTES = 1_500_000;

/** `entries` as they came from outside. Gives them back complete; throws `invalid_argument` naming every wrong field. */
export function checkSection(section: Section, entries: unknown, teams: TeamMap): RepositoryEntry[] {
  if (section !== null && !teams.has(section)) {
    throw new GitpinError(
      "invalid_argument",
      `There is no team ${JSON.stringify(section)}.`,
      "The operator names the teams in the deployment's configuration (TEAMS).",
      { field: "team" },
    );
  }
  const owned = Array.isArray(entries) ? entries.map((entry) => withTeam(entry, section)) : entries;
  const { repositories } = checkRegistry({ version: 1, repositories: owned }, "The registry");
  const faults = repositories.flatMap((entry, index) => placeFaults(entry, index, section, teams));
  if (faults.length > 0) throw invalid(faults);
  if (Buffer.byteLength(JSON.stringify(repositories)) > SECTION_BYTES) {
    throw invalid([`repositories: more than ${SECTION_BYTES} bytes of JSON`]);
  }
  return repositories;
}

/** An entry without a team is meant for the section that it is sent to. */
function withTeam(entry: unknown, section: Section): unknown {
  if (section === null || typeof entry !== "object" || entry === null || "team" in entry) return entry;
  return { ...entry, team: section };
}

function placeFaults(entry: RepositoryEntry, index: number, section: Section, teams: TeamMap): string[] {
  const at = `repositories.${index}`;
  if ((entry.team ?? null) !== section) {
    const place = section === null ? "the operator's section" : `the section of team ${section}`;
    return [`${at}.team: does not belong in ${place}`];
  }
  if (section === null || teams.allows(section, entry.owner, entry.repo)) return [];
  return [`${at}.owner: team ${section} may register ${teams.describe(section)} only`];
}

const invalid = (faults: readonly string[]): GitpinError => invalidRegistry("The registry", faults);

/** The seed by sections. Every entry must be within the map of teams, the operator's seed too. */
export function sectionsOf(file: RegistryFile, teams: TeamMap): Map<Section, RepositoryEntry[]> {
  const names = new Set<Section>([null, ...file.repositories.map(({ team }) => team ?? null)]);
  return new Map(
    [...names].map((section) => [
      section,
      checkSection(
        section,
        file.repositories.filter(({ team }) => (team ?? null) === section),
        teams,
      ),
    ]),
  );
}
