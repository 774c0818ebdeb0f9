/**
 * A registry that does not change while it runs: the checked entries of one file.
 * Owns who sees what without teams: anonymous callers see `public` entries, all, or none, as the operator set it.
 */
import type { Caller, Registry } from "../ports/registry.ts";
import type { RegistryFile, RepositoryEntry } from "../schema/registry.ts";

/** What callers without a credential see. `all` is for a service that only its owner can reach (loopback). */
export type AnonymousAccess = "none" | "public" | "all";

export function fileRegistry(file: RegistryFile, anonymous: AnonymousAccess): Registry {
  const shown = file.repositories.filter(
    (entry) => anonymous === "all" || (anonymous === "public" && entry.visibility === "public"),
  );
  const byName = new Map<string, RepositoryEntry>(shown.map((entry) => [entry.name, entry]));
  return {
    async visible(_caller: Caller) {
      return shown;
    },
    async find(_caller: Caller, name: string) {
      return byName.get(name) ?? null;
    },
  };
}
