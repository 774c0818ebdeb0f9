/**
 * The gate for one path: from (repository, path, sha or ref) to an entry of a tree, or to the reason why not.
 * Every tool that shows anything of a file comes through here, so that registry, reachability and policy are applied
 * in one place and in one order: registry, policy of the registry, the commit's own gate, policy files, tree.
 * Nothing about a path is looked up before policy has allowed it.
 */
import { assertPath } from "../core/git/path.ts";
import { createPolicy, type Policy } from "../core/policy/policy.ts";
import { NO_WIKI } from "../core/policy/wiki-policy.ts";
import type { Call } from "../ports/call.ts";
import type { Commit, FoundEntry } from "../ports/repository-reader.ts";
import {
  type CommitPlace,
  type NamedCommit,
  nameCommit,
  type OpenedCommit,
  openCommit,
} from "./commit-gate.ts";
import type { ServicePorts } from "./service-ports.ts";

export interface Place extends CommitPlace {
  sourcePath: string;
}

export type Outcome =
  | { status: "ok"; commit: Commit; found: FoundEntry; policy: Policy }
  | { status: "missing"; what: "commit" | "path"; reason: string }
  | { status: "blocked"; reason: string };

export interface Located extends NamedCommit {
  sourcePath: string;
  outcome: Outcome;
}

export async function locate(ports: ServicePorts, call: Call, place: Place): Promise<Located> {
  assertPath(place.sourcePath);
  const named = await nameCommit(ports, call, place);
  const { entry } = named;
  const registryOnly = createPolicy({ entry, headWiki: NO_WIKI, citedWiki: NO_WIKI });
  const decision = registryOnly.decide(place.sourcePath);
  if (!decision.allowed) {
    return {
      ...named,
      sourcePath: place.sourcePath,
      outcome: { status: "blocked", reason: decision.reason },
    };
  }
  return await locateIn(await openCommit(named), place.sourcePath);
}

/** The same for a further path of a commit that was opened already. */
export async function locateIn(opened: OpenedCommit, sourcePath: string): Promise<Located> {
  return { ...opened, sourcePath, outcome: await entryOutcome(opened, sourcePath) };
}

async function entryOutcome({ reader, outcome }: OpenedCommit, sourcePath: string): Promise<Outcome> {
  if (outcome.status !== "ok") return outcome;
  const { commit, policy } = outcome;
  const decision = policy.decide(sourcePath);
  if (!decision.allowed) return { status: "blocked", reason: decision.reason };
  const found = await reader.entry(commit, sourcePath);
  return found === null
    ? { status: "missing", what: "path", reason: `There is no such path at commit ${commit.sha}.` }
    : { status: "ok", commit, found, policy };
}
