/** Where commits are told to the audit trail: who, where, which. Never content or descriptions. Implemented by `registry/`. */
import type { ObjectId } from "../core/git/object-id.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import type { Caller } from "./registry.ts";

export interface CommitEvent {
  caller: Caller;
  entry: RepositoryEntry;
  branch: string;
  /** Null: the first commit of the repository. */
  parent: ObjectId | null;
  commit: ObjectId;
  paths: readonly string[];
  operations: number;
  requestId: string | null;
  pullRequest: number | null;
}

export interface CommitAudit {
  /** Throws where it cannot be recorded; the commit stands all the same. */
  committed(event: CommitEvent): Promise<void>;
}
