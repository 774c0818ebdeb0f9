/**
 * A public entry is public as long as its repository is: from the moment GitHub tells by webhook that it turned private, it
 * does not exist for anybody who saw it as public. Whoever sees everything (the operator) keeps seeing it. Back only when GitHub,
 * asked, says that it is public again.
 */
import type { Caller, Registry } from "../ports/registry.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { type AnonymousAccess, viewOf } from "./visibility.ts";

export function whilePublic(
  registry: Registry,
  turnedPrivate: (entry: RepositoryEntry) => boolean,
  anonymous: AnonymousAccess,
): Registry {
  const shown = (caller: Caller, entry: RepositoryEntry): boolean =>
    entry.visibility !== "public" || viewOf(caller, anonymous).kind === "everything" || !turnedPrivate(entry);
  return {
    async visible(caller) {
      return (await registry.visible(caller)).filter((entry) => shown(caller, entry));
    },
    async find(caller, name) {
      const entry = await registry.find(caller, name);
      return entry !== null && shown(caller, entry) ? entry : null;
    },
    status: () => registry.status(),
  };
}
