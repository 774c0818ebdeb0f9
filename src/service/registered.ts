/** Looks a repository up for a caller. What the caller may not see does not exist, in the error's text too. */
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { spell } from "./next.ts";
import type { ServicePorts } from "./service-ports.ts";

export async function registered(ports: ServicePorts, call: Call, name: string): Promise<RepositoryEntry> {
  const entry = await ports.registry.find(call.caller, name);
  if (entry !== null) {
    call.ledger.repositories.add(entry.name);
    return entry;
  }
  throw repositoryUnknown(call, name);
}

/** The same words for a name that never was and for one that this caller may not see. */
export const repositoryUnknown = ({ spelling }: Pick<Call, "spelling">, name: string): GitpinError =>
  new GitpinError(
    "repository_unknown",
    `No repository named ${JSON.stringify(name)} is registered for this caller.`,
    `List the names with ${spell("pin.catalog", spelling)} and use one of them exactly.`,
    { field: "repository" },
  );
