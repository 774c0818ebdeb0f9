/**
 * The audit trail of commits: a row in the live registry's audit log, in the section of whose entry it is; where the registry is a
 * file, one line of JSON in the Worker's log. Who, where and which; never content, descriptions or a pull request's words. Paths
 * are named up to a bound, and counted beyond it.
 */
import type { ErrorCode } from "../errors.ts";
import type { CommitAudit, CommitEvent } from "../ports/commit-audit.ts";
import type { CommitDetail } from "../schema/administration.ts";
import type { Section } from "./check-section.ts";
import type { RegistryHome } from "./registry-home.ts";

/** A commit as it is recorded. */
export interface CommitRecord {
  by: string;
  team: Section;
  /** The entry's name. */
  repository: string;
  detail: CommitDetail;
}

export interface CommitLine extends CommitDetail {
  event: "kin.commit";
  /** ISO 8601 UTC. */
  at: string;
  by: string;
  team: string | null;
  repository: string;
  /** Why the audit log could not take it, so that this line is all there is; null where there is no audit log. */
  unrecorded: ErrorCode | null;
}

/** Most paths of one record, and the most UTF-16 units of all of them. */
const PATHS = { most: 100, units: 10_000 };

function recordOf({ caller, entry, paths, ...event }: CommitEvent): CommitRecord {
  const { branch, parent, commit, operations, requestId, pullRequest } = event;
  let units = 0;
  const shown = paths.slice(0, PATHS.most).filter((path) => {
    units += path.length;
    return units <= PATHS.units;
  });
  return {
    by: caller.id,
    team: entry.team ?? null,
    repository: entry.name,
    detail: {
      branch,
      parent,
      commit,
      paths: shown,
      pathsTotal: paths.length,
      operations,
      requestId,
      pullRequest,
    },
  };
}

/** Over the live registry; throws `registry_unavailable`. */
export const liveCommitAudit = (home: Pick<RegistryHome, "commit">): CommitAudit => ({
  committed: (event) => home.commit(recordOf(event)),
});

/** Where the registry is a file. `now`: ISO 8601 UTC. */
export const loggedCommitAudit = (now: () => string, write: (line: CommitLine) => void): CommitAudit => ({
  committed: async (event) => write(commitLine(event, now(), null)),
});

/** The line of a commit that stands in no audit log. */
export function commitLine(event: CommitEvent, at: string, unrecorded: ErrorCode | null): CommitLine {
  const { by, team, repository, detail } = recordOf(event);
  return { event: "kin.commit", at, by, team, repository, ...detail, unrecorded };
}
