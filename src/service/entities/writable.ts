/** What the caller may change of a repository, by scope and registry entry, in the words of `kin_status`. Nothing is granted here. */
import { mayWriteBranch, mayWritePath, mayWriteRepository } from "../../core/policy/writable.ts";
import type { Caller } from "../../ports/registry.ts";
import type { KinStatus } from "../../schema/entities.ts";
import type { RepositoryEntry } from "../../schema/registry.ts";
import type { ServicePorts } from "../service-ports.ts";

type Writable = KinStatus["writable"];

const NOBODY_WRITES =
  "This service writes to no repository. Whoever runs it turns writing on: on one's own machine npm start -- --write, else the operator.";

const closed = (reason: string): Writable => ({ allowed: false, reason, branches: null, paths: null });

/** `branch` without `refs/heads/`; null where HEAD is none. Patterns are told to nobody who may change nothing. */
export function writableFor(
  { writing }: Pick<ServicePorts, "writing">,
  { scopes, team }: Caller,
  entry: RepositoryEntry,
  branch: string | null,
): Writable {
  // First: where nobody writes, no scope that a caller could be given would help.
  if (writing === null) return closed(NOBODY_WRITES);
  if (!scopes.includes("kin:write")) return closed("This caller has no scope kin:write.");
  const repository = mayWriteRepository(entry, team);
  if (!repository.allowed) return closed(repository.reason);
  const { branches, paths } = entry.writable === false ? { branches: [], paths: [] } : entry.writable;
  const decision = branch === null ? null : mayWriteBranch(entry, branch);
  const reason =
    decision === null
      ? "HEAD of this registry entry is no branch."
      : decision.allowed
        ? null
        : decision.reason;
  return { allowed: reason === null, reason, branches, paths };
}

/** Whether the caller may change a file on a branch, as far as scope and registry say. */
export const mayEdit = (
  ports: Pick<ServicePorts, "writing">,
  caller: Caller,
  entry: RepositoryEntry,
  branch: string,
  path: string,
): boolean => writableFor(ports, caller, entry, branch).allowed && mayWritePath(entry, path).allowed;
