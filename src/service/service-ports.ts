/** What the service layer stands on: the ports, handed in once at start. */
import type { Call } from "../ports/call.ts";
import type { Registry } from "../ports/registry.ts";
import type { RepositoryReader } from "../ports/repository-reader.ts";
import type { RepositoryEntry } from "../schema/registry.ts";

export interface ServicePorts {
  registry: Registry;
  /** A reader for one call; it counts into the call's ledger. */
  open(entry: RepositoryEntry, call: Call): RepositoryReader;
  /** Base URL of the hosting site's pages, without a final slash; null where there are none (local clones). */
  webUrl: string | null;
  /** Base URL of this service, without a final slash; null where there is none (the command line). */
  publicUrl: string | null;
  /** Lets other requests run in the middle of a long computation; a timer of zero where left out. */
  pause?: () => Promise<void>;
}
