/**
 * The gate's part about commits: from (repository, sha or ref) to a commit that may be shown, with the policy for its
 * paths, or to the reason why not. Order: registry, commit, reachability, policy files of HEAD and of the commit.
 * Every tool that tells anything of a commit or its tree comes through here; for one path, through `locate.ts`.
 */
import { isObjectId, type ObjectId } from "../core/git/object-id.ts";
import { createPolicy, type Policy } from "../core/policy/policy.ts";
import type { WikiPolicy } from "../core/policy/wiki-policy.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { ANONYMOUS } from "../ports/registry.ts";
import type { Commit, Head, RepositoryReader } from "../ports/repository-reader.ts";
import { type RepositoryEntry, servesUnreachable } from "../schema/registry.ts";
import { registered } from "./registered.ts";
import type { ServicePorts } from "./service-ports.ts";
import { wikiAt } from "./wiki.ts";

export interface CommitPlace {
  repository: string;
  /** 7 to 40 hex digits. Not together with `ref`. */
  sha?: string | undefined;
  ref?: string | undefined;
}

/** A commit by its full id; whether there is such a commit was not asked yet. */
export interface NamedCommit {
  entry: RepositoryEntry;
  reader: RepositoryReader;
  /** Whether callers without a token see this repository. */
  open: boolean;
  commitSha: ObjectId;
  /** Asked for by SHA: the answer is immutable and carries no `head`. */
  pinned: boolean;
  /** The tip that was asked, unless pinned. */
  head: Head | null;
  /** True, false, or null when it was not or could not be found out. */
  reachable: boolean | null;
}

export type CommitOutcome =
  | { status: "ok"; commit: Commit; policy: Policy }
  | { status: "missing"; what: "commit"; reason: string }
  | { status: "blocked"; reason: string };

export type OpenedCommit = NamedCommit & { outcome: CommitOutcome };

export async function nameCommit(ports: ServicePorts, call: Call, place: CommitPlace): Promise<NamedCommit> {
  const entry = await registered(ports, call, place.repository);
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
  call.ledger.commits.add(commitSha);
  return {
    entry,
    reader,
    open: entry.visibility === "public" || call.caller.id === ANONYMOUS.id,
    commitSha,
    pinned: head === null,
    head,
    reachable: head === null ? null : true,
  };
}

async function fullSha(reader: RepositoryReader, given: string): Promise<ObjectId> {
  const sha = given.toLowerCase();
  return isObjectId(sha) ? sha : await reader.resolveAbbreviation(sha);
}

export async function openCommit(named: NamedCommit): Promise<OpenedCommit> {
  const { entry, reader, commitSha } = named;
  const commit = await reader.commit(commitSha);
  if (commit === null) {
    const reason = `The repository has no commit ${commitSha}.`;
    return { ...named, outcome: { status: "missing", what: "commit", reason } };
  }
  const reachable = named.reachable ?? (await reachability(named));
  if (reachable !== true && !servesUnreachable(entry)) {
    const reason = "The commit is not an ancestor of any registered ref of this repository.";
    return { ...named, reachable, outcome: { status: "blocked", reason } };
  }
  // HEAD's rules bind every other commit too: older ones, and the tips of other refs.
  const tip = await tipCommit(reader);
  const headWiki = await wikiAt(reader, tip);
  const citedWiki = tip.sha === commit.sha ? headWiki : await wikiAt(reader, commit);
  const unreadable = unreadablePolicy(headWiki, "HEAD") ?? unreadablePolicy(citedWiki, "the cited commit");
  if (unreadable !== null) return { ...named, reachable, outcome: { status: "blocked", reason: unreadable } };
  const policy = createPolicy({ entry, headWiki, citedWiki });
  return { ...named, reachable, outcome: { status: "ok", commit, policy } };
}

/** HEAD of the registered default ref. */
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

async function reachability({ entry, reader, commitSha }: NamedCommit): Promise<boolean | null> {
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

/** A policy that cannot be read exposes nothing: no file, no list of names, no search. Null when it can. */
const unreadablePolicy = (wiki: WikiPolicy, where: string): string | null =>
  wiki.kind === "invalid"
    ? `${wiki.path} at ${where} cannot be read as a policy (${wiki.reason}), so nothing of this repository is served.`
    : null;
