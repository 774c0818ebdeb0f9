/**
 * The gate: from (repository, path, sha or ref) to an entry of a tree, or to the reason why not.
 * Every tool that shows anything of a file comes through here, so that registry, reachability and policy are applied
 * in one place and in one order: registry, policy of the registry, commit, reachability, policy files, tree.
 * Nothing about a path is looked up before policy has allowed it.
 */
import { isObjectId, type ObjectId } from "../core/git/object-id.ts";
import { assertPath } from "../core/git/path.ts";
import { createPolicy, type Policy } from "../core/policy/policy.ts";
import { NO_WIKI } from "../core/policy/wiki-policy.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { ANONYMOUS } from "../ports/registry.ts";
import type { Commit, FoundEntry, Head, RepositoryReader } from "../ports/repository-reader.ts";
import { type RepositoryEntry, servesUnreachable } from "../schema/registry.ts";
import { registered } from "./registered.ts";
import type { ServicePorts } from "./service-ports.ts";
import { wikiAt } from "./wiki.ts";

export interface Place {
  repository: string;
  sourcePath: string;
  /** 7 to 40 hex digits. Not together with `ref`. */
  sha?: string | undefined;
  ref?: string | undefined;
}

export type Outcome =
  | { status: "ok"; commit: Commit; found: FoundEntry; policy: Policy }
  | { status: "missing" | "blocked"; reason: string };

export interface Located {
  entry: RepositoryEntry;
  reader: RepositoryReader;
  sourcePath: string;
  /** Whether callers without a token see this repository. */
  open: boolean;
  commitSha: ObjectId;
  /** Asked for by SHA: the answer is immutable and carries no `head`. */
  pinned: boolean;
  /** The tip that was asked, unless pinned. */
  head: Head | null;
  /** True, false, or null when it was not or could not be found out. */
  reachable: boolean | null;
  outcome: Outcome;
}

export async function locate(ports: ServicePorts, call: Call, place: Place): Promise<Located> {
  const entry = await registered(ports, call, place.repository);
  assertPath(place.sourcePath);
  if (place.sha !== undefined && place.ref !== undefined) {
    throw new GitpinError(
      "invalid_argument",
      "sha and ref exclude each other.",
      "Give sha for a fixed commit, or ref for the tip of a registered ref.",
      { field: "ref" },
    );
  }
  const reader = ports.open(entry, call);
  const head = place.sha === undefined ? await reader.head(place.ref) : null;
  const commitSha = head?.sha ?? (await fullSha(reader, place.sha ?? ""));
  const located = {
    entry,
    reader,
    sourcePath: place.sourcePath,
    open: entry.visibility === "public" || call.caller.id === ANONYMOUS.id,
    commitSha,
    pinned: head === null,
    head,
    reachable: head === null ? null : true,
  };
  return { ...located, ...(await outcomeAt(located)) };
}

async function fullSha(reader: RepositoryReader, given: string): Promise<ObjectId> {
  const sha = given.toLowerCase();
  return isObjectId(sha) ? sha : await reader.resolveAbbreviation(sha);
}

type Before = Omit<Located, "outcome">;

async function outcomeAt(at: Before): Promise<Pick<Located, "outcome" | "reachable">> {
  const { entry, reader, commitSha, sourcePath } = at;
  const registryOnly = createPolicy({ entry, headWiki: NO_WIKI, citedWiki: NO_WIKI }).decide(sourcePath);
  if (!registryOnly.allowed) return blocked(at.reachable, registryOnly.reason);

  const commit = await reader.commit(commitSha);
  if (commit === null) {
    return missing(at.reachable, `The repository has no commit ${commitSha}.`);
  }
  const reachable = at.reachable ?? (await reachability(at));
  if (reachable !== true && !servesUnreachable(entry)) {
    return blocked(reachable, "The commit is not an ancestor of any registered ref of this repository.");
  }
  const tip = at.head !== null && at.head.sha === commitSha ? commit : await tipCommit(reader);
  const headWiki = await wikiAt(reader, tip);
  const citedWiki = tip.sha === commit.sha ? headWiki : await wikiAt(reader, commit);
  const policy = createPolicy({ entry, headWiki, citedWiki });
  const decision = policy.decide(sourcePath);
  if (!decision.allowed) return blocked(reachable, decision.reason);

  const found = await reader.entry(commit, sourcePath);
  if (found === null) {
    return missing(reachable, `There is no such path at commit ${commitSha}.`);
  }
  return { reachable, outcome: { status: "ok", commit, found, policy } };
}

const blocked = (reachable: boolean | null, reason: string) => ({
  reachable,
  outcome: { status: "blocked", reason } as const,
});

const missing = (reachable: boolean | null, reason: string) => ({
  reachable,
  outcome: { status: "missing", reason } as const,
});

/** HEAD of the registered default ref: a policy file there binds every older commit too. */
async function tipCommit(reader: RepositoryReader): Promise<Commit> {
  const head = await reader.head();
  const commit = await reader.commit(head.sha);
  if (commit !== null) return commit;
  throw new GitpinError(
    "upstream_unexpected",
    `GitHub named ${head.sha} as HEAD and then did not have it.`,
    "Try again in a few seconds.",
  );
}

async function reachability({ entry, reader, commitSha }: Before): Promise<boolean | null> {
  const reachable = await reader.reachable(commitSha);
  if (reachable === null && !servesUnreachable(entry)) {
    // Without knowing, neither the content nor a verdict may be given, and "blocked" would be a guess.
    throw new GitpinError(
      "upstream_unavailable",
      "Whether a registered ref leads to this commit could not be found out.",
      "Try again; GitHub did not answer the comparison.",
    );
  }
  return reachable;
}
