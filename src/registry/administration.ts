/**
 * What admins may do with the live registry. Owns the permission of each operation: an admin's team is that of the credential;
 * the operator chooses one. Everything stored was checked here first; the object decides about `If-Match`.
 */
import * as z from "zod";
import { requireScope } from "../auth/bearer.ts";
import type { TeamMap } from "../auth/team-map.ts";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { GitpinError } from "../errors.ts";
import type { Administration, Condition, TeamChoice } from "../ports/administration.ts";
import type { Caller } from "../ports/registry.ts";
import type { RegistryPatch, SectionState } from "../schema/administration.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { checkSection, type Section } from "./check-section.ts";
import { parseRegistry } from "./parse-registry.ts";
import type { RegistryHome } from "./registry-home.ts";
import { sectionChange } from "./section-change.ts";
import { sectionFor } from "./section-for.ts";
import type { StoredSection } from "./section-table.ts";
import type { TokenDesk } from "./token-desk.ts";
import { isOperator } from "./visibility.ts";

const PAGE = 50;
const position = z.tuple([z.number().int().min(0)]);

export function createAdministration(home: RegistryHome, teams: TeamMap, desk: TokenDesk): Administration {
  const sectionOf = (caller: Caller, choice: TeamChoice): Section => sectionFor(caller, choice, teams);

  const store = async (
    caller: Caller,
    condition: Condition,
    entries: unknown,
    restoredFrom: number | null = null,
  ): Promise<SectionState> => {
    const section = sectionOf(caller, condition);
    const checked = checkSection(section, entries, teams);
    return stateOf(
      await home.write({ section, ifMatch: condition.ifMatch, entries: checked, restoredFrom }, caller.id),
    );
  };

  return {
    ...desk,

    admit: (caller) => requireScope(caller, "registry:admin"),

    async registry(caller, choice) {
      const state = stateOf(await home.read(sectionOf(caller, choice)));
      return isOperator(caller) ? { ...state, sections: await home.list() } : state;
    },

    replace: store,

    async patch(caller, condition, patch) {
      const present = await home.read(sectionOf(caller, condition));
      return await store(caller, condition, patched(entriesOf(present), patch));
    },

    async validate(caller, choice, entries) {
      const section = sectionOf(caller, choice);
      const checked = checkSection(section, entries, teams);
      const change = sectionChange(entriesOf(await home.read(section)), checked);
      return { kind: "registry-validation", team: section, valid: true, change };
    },

    async history(caller, page) {
      const team = sectionOf(caller, page);
      const kind = `history:${team ?? ""}`;
      const before = page.cursor === undefined ? null : decodeCursor(kind, position, page.cursor)[0];
      const versions = await home.history(team, page.limit ?? PAGE, before);
      const last = versions.at(-1)?.version ?? 1;
      const nextCursor = last > 1 ? encodeCursor(kind, [last]) : null;
      return { kind: "registry-history", team, versions, nextCursor };
    },

    async version(caller, choice, version) {
      return stateOf(await home.version(sectionOf(caller, choice), version));
    },

    async restore(caller, condition, version) {
      const old = await home.version(sectionOf(caller, condition), version);
      return await store(caller, condition, entriesOf(old), version);
    },
  };
}

/** Throws `invalid_argument` where a stored text does not hold under the present schema. */
const entriesOf = ({ text, version }: StoredSection): RepositoryEntry[] =>
  parseRegistry(`{"version":1,"repositories":${text}}`, `Version ${version} of the registry`).repositories;

const stateOf = (stored: StoredSection): SectionState => {
  const { team, version, etag, at, by } = stored;
  return { kind: "registry", team, version, etag, at, by, repositories: entriesOf(stored) };
};

/** An entry that is put replaces the one of its name where that stands; new ones come last. */
function patched(entries: readonly RepositoryEntry[], { put, remove }: RegistryPatch): unknown[] {
  const names = new Set(entries.map(({ name }) => name));
  const unknown = remove.findIndex((name) => !names.has(name));
  if (unknown >= 0) {
    throw new GitpinError(
      "invalid_argument",
      `remove.${unknown}: there is no entry ${remove[unknown]}.`,
      "GET /v1/registry lists the entries there are.",
      { field: `remove.${unknown}` },
    );
  }
  const puts = new Map<string, unknown>(put.map((entry) => [entry.name, entry]));
  const twice = put.findIndex((entry, at) => puts.get(entry.name) !== put[at] || remove.includes(entry.name));
  if (twice >= 0) {
    throw new GitpinError(
      "invalid_argument",
      `put.${twice}: ${put[twice]?.name} is named twice.`,
      "Name each entry once, in put or in remove.",
      { field: `put.${twice}` },
    );
  }
  const removed = new Set(remove);
  const kept = entries.filter(({ name }) => !removed.has(name)).map((entry) => puts.get(entry.name) ?? entry);
  return [...kept, ...put.filter(({ name }) => !names.has(name))];
}
