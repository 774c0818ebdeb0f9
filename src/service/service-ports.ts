/** What the service layer stands on: the ports, handed in once at start. */
import type { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { CommitAudit, CommitEvent } from "../ports/commit-audit.ts";
import type { CommitQueue } from "../ports/commit-queue.ts";
import type { EntityParser } from "../ports/entity-parser.ts";
import type { Registry } from "../ports/registry.ts";
import type { RepositoryReader } from "../ports/repository-reader.ts";
import type { RepositoryWriter } from "../ports/repository-writer.ts";
import type { RequestLedger } from "../ports/request-ledger.ts";
import type { RepositoryEntry } from "../schema/registry.ts";

/** What committing takes beside reading. */
export interface WritingPorts {
  /** A writer for one call; it counts into the call's ledger. */
  open(entry: RepositoryEntry, call: Call): RepositoryWriter;
  queue: CommitQueue;
  requests: RequestLedger;
  audit: CommitAudit;
  /** Told of a commit that the audit trail could not take: for the operator's log. */
  unrecorded(event: CommitEvent, error: GitpinError): void;
  /** A random whole number from 0 to `below` - 1, and a wait: how losers of a race spread out. */
  random(below: number): number;
  wait(milliseconds: number): Promise<void>;
}

export interface ServicePorts {
  registry: Registry;
  /** A reader for one call; it counts into the call's ledger. */
  open(entry: RepositoryEntry, call: Call): RepositoryReader;
  /** Base URL of the hosting site's pages, without a final slash; null where there are none (local clones). */
  webUrl: string | null;
  /** Base URL of this service, without a final slash; null where there is none (the command line). */
  publicUrl: string | null;
  /** Parses source; null where the deployment has no part that does: then there are no entities. */
  entities: EntityParser | null;
  /** Null where nothing is ever written. */
  writing: WritingPorts | null;
  /** Lets other requests run in the middle of a long computation; a timer of zero where left out. */
  pause?: () => Promise<void>;
}
