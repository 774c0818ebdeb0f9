/**
 * The audit trail of commits: a row in the live registry's audit log, in the section of whose entry it is; where the registry is a
 * file, or the log cannot be written, one line of JSON in the Worker's log. Who, where and which; never content, descriptions or
 * the pull request's words. Paths are named up to a bound, and counted beyond it.
 */
import { GitpinError } from "../errors.ts";
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
  /** False: the audit log could not be written, so this line is all there is. Null: there is no audit log. */
  recorded: false | null;
}

export type WriteLine = (line: CommitLine) => void;

/** Most paths of one record, and the most UTF-16 units of all of them. */
const PATHS = { most: 100, units: 10_000 };

export function recordOf({ caller, entry, paths, ...event }: CommitEvent): CommitRecord {
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

/** Over the live registry. What it cannot record it writes to the log, and throws `registry_unavailable` all the same. */
export const liveCommitAudit = (
  home: Pick<RegistryHome, "commit">,
  now: () => string,
  write: WriteLine,
): CommitAudit => ({
  async committed(event) {
    const record = recordOf(event);
    try {
      await home.commit(record);
    } catch (cause) {
      write(lineOf(record, now(), false));
      throw new GitpinError(
        "registry_unavailable",
        "The commit stands, and could not be recorded in the audit log; it is in the service's log.",
        "Nothing is to be repeated. An admin finds it in the log as kin.commit.",
        { commit: event.commit },
        { cause },
      );
    }
  },
});

/** Where the registry is a file. */
export const loggedCommitAudit = (now: () => string, write: WriteLine): CommitAudit => ({
  committed: async (event) => write(lineOf(recordOf(event), now(), null)),
});

const lineOf = (
  { by, team, repository, detail }: CommitRecord,
  at: string,
  recorded: CommitLine["recorded"],
): CommitLine => ({ event: "kin.commit", at, by, team, repository, ...detail, recorded });
