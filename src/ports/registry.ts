/**
 * The repositories this service knows, as the service layer sees them. Which of them a caller may see is decided
 * here and nowhere else; an entry that is not visible does not exist for that caller.
 */
import type { RepositoryEntry } from "../schema/registry.ts";

/** Who calls. Everything follows from the credential; anonymous callers see public repositories only. */
export interface Caller {
  /** Stable id for logs, never the token. */
  id: string;
  team: string | null;
  scopes: readonly string[];
}

/** A caller without a credential. */
export const ANONYMOUS: Caller = { id: "anonymous", team: null, scopes: [] };

export interface Registry {
  /** All entries this caller sees, in the registry's order. */
  visible(caller: Caller): Promise<readonly RepositoryEntry[]>;
  /** By exact name; null when unknown or not visible. */
  find(caller: Caller, name: string): Promise<RepositoryEntry | null>;
  /** How current it is. */
  status(): RegistryStatus;
}

export interface RegistryStatus {
  /** `file`: fixed at the deployment. `live`: edited while the service runs. */
  source: "file" | "live";
  /** When the live one was last read, ISO 8601 UTC; null for a file, or before the first read. */
  readAt: string | null;
  /** Set when the present one could not be read and the last good one is used. */
  stale: { code: string; reason: string } | null;
}
