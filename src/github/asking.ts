/** On whose behalf the adapter asks GitHub: one registered repository, for one call. */
import type { Background } from "../ports/background.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import type { Priority } from "./budget/limits.ts";

export interface Asking {
  entry: RepositoryEntry;
  ledger: Ledger;
  background: Background;
  priority: Priority;
  /** Goes with requests to the API host, nowhere else. */
  traceparent?: string | undefined;
}

/** Where the host is asked about the repository itself: its numeric address where the registry holds the id. */
export const addressOf = ({ id, owner, repo }: RepositoryEntry): string =>
  id === undefined
    ? `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`
    : `/repositories/${id}`;
