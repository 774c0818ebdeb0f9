/** The paths that differ between two commits, as facts of a brief: each with its citation, the first `BRIEF_CHANGES` of them. */
import type { ExaminedRange } from "../core/brief/examined.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { BRIEF_CHANGES } from "../schema/brief.ts";
import type { Citation } from "../schema/citation.ts";
import { nameCommit, openCommit } from "./commit-gate.ts";
import type { ServicePorts } from "./service-ports.ts";
import { citationAt } from "./slice.ts";
import { compareTrees, isOpen, type JudgedChange, type OpenCommit } from "./tree-comparison.ts";

/** `changeRange`: `base..head`. Throws `invalid_argument` for a commit that is not there or not to be shown. */
export async function rangeOf(
  ports: ServicePorts,
  repository: string,
  changeRange: string,
  call: Call,
): Promise<ExaminedRange> {
  const [base, head] = await Promise.all(
    changeRange.split("..").map(async (sha) => openForRange(ports, repository, sha, call)),
  );
  if (base === undefined || head === undefined) throw new TypeError("a range has two ends");
  const { changes } = await compareTrees(base, head, true);
  return {
    repository: head.entry.name,
    base: base.commitSha,
    head: head.commitSha,
    total: changes.length,
    changes: changes.slice(0, BRIEF_CHANGES).map((change) => ({
      status: change.status,
      sourcePath: change.path,
      previousPath: change.status === "R" ? change.from : null,
      citation: citationOfChange(ports, change.head === null ? base : head, change),
    })),
  };
}

async function openForRange(
  ports: ServicePorts,
  repository: string,
  sha: string,
  call: Call,
): Promise<OpenCommit> {
  const opened = await openCommit(await nameCommit(ports, call, { repository, sha }));
  if (isOpen(opened)) return opened;
  const reason = opened.outcome.status === "ok" ? "" : opened.outcome.reason;
  throw new GitpinError(
    "invalid_argument",
    `changeRange cannot be shown: ${reason}`,
    "Give two commits that a registered ref leads to.",
    { field: "changeRange" },
  );
}

/** Where the path stands: at head, or for a deletion at base. A blocked one is named and carries no id. */
function citationOfChange(ports: ServicePorts, at: OpenCommit, change: JudgedChange): Citation {
  const { commit, policy } = at.outcome;
  const side = change.head ?? change.base;
  const entry = {
    path: change.path,
    size: null,
    ...(side ?? { mode: "100644", kind: "file" as const, id: "" }),
  };
  const located = { ...at, sourcePath: change.path };
  if (change.blocked || side === null) {
    const outcome = { status: "blocked" as const, reason: "Policy forbids this path." };
    return citationAt(ports, { ...located, outcome }, null, "blocked");
  }
  const found = { entry, assurance: "attested" as const };
  return citationAt(ports, { ...located, outcome: { status: "ok", commit, found, policy } }, null, "ok");
}
