/** A registry that does not change while it runs: the checked entries of one file, seen as `visibility.ts` says. */
import { teamMap } from "../auth/team-map.ts";
import type { Registry } from "../ports/registry.ts";
import type { RegistryFile } from "../schema/registry.ts";
import { Views } from "./views.ts";
import type { AnonymousAccess } from "./visibility.ts";

export type { AnonymousAccess } from "./visibility.ts";

/** Without the live registry there are no tokens, hence no teams: their entries stay unseen. */
const NO_TEAMS = teamMap({});

export function fileRegistry(file: RegistryFile, anonymous: AnonymousAccess): Registry {
  const views = new Views(file.repositories, { anonymous, teams: NO_TEAMS });
  return {
    visible: async (caller) => views.of(caller).entries,
    find: async (caller, name) => views.of(caller).byName.get(name) ?? null,
    status: () => ({ source: "file", readAt: null, stale: null }),
  };
}
