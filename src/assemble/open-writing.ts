/**
 * Committing, of one isolate: the writer behind its guards, the queue and the ledger in their objects, the audit trail. There is none
 * without the ledger's binding: a commit must be made once, and only a place that all isolates share can say that it was.
 */
import type { TeamMap } from "../auth/team-map.ts";
import { commitQueue, inProcessQueue, queueName, type Turns } from "../commits/queue/commit-queue.ts";
import { type RequestsHome, requestLedger } from "../commits/requests/request-ledger.ts";
import type { Call } from "../ports/call.ts";
import type { Clock } from "../ports/clock.ts";
import type { CommitAudit } from "../ports/commit-audit.ts";
import type { CommitQueue } from "../ports/commit-queue.ts";
import type { RepositoryReader } from "../ports/repository-reader.ts";
import type { RepositoryWriter } from "../ports/repository-writer.ts";
import type { Timer } from "../ports/timer.ts";
import { type CommitLine, commitLine } from "../registry/commit-audit.ts";
import { withinGrant } from "../registry/within-grant.ts";
import { writerWithinTeam } from "../registry/within-team.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import type { WritingPorts } from "../service/service-ports.ts";
import type { Bindings } from "./bindings.ts";

export interface WritingParts {
  /** The host's own writer and reader for one call, behind no guard. */
  write(entry: RepositoryEntry, call: Call): RepositoryWriter;
  read(entry: RepositoryEntry, call: Call): Pick<RepositoryReader, "identity">;
  teams: TeamMap;
  audit: CommitAudit;
  clock: Clock;
  log(line: CommitLine): void;
}

const timer: Timer = {
  after(milliseconds, work) {
    const running = setTimeout(work, milliseconds);
    return () => clearTimeout(running);
  },
};

/** Null: this deployment writes nothing. */
export function openWriting(
  { REQUESTS: requests, BRANCH_QUEUES: queues }: Bindings,
  parts: WritingParts,
): WritingPorts | null {
  if (requests === undefined) return null;
  const { teams, audit, clock } = parts;
  return {
    open(entry, call) {
      const writer = writerWithinTeam(parts.write(entry, call), parts.read(entry, call), entry, teams);
      return withinGrant(writer, entry, call.caller);
    },
    queue: queueOver(queues),
    requests: requestLedger((name) => requests.getByName(name) as unknown as RequestsHome),
    audit,
    unrecorded: (event, error) =>
      parts.log(commitLine(event, new Date(clock.now()).toISOString(), error.code)),
    random: (below) => Math.floor(Math.random() * below),
    wait: (milliseconds) => scheduler.wait(milliseconds),
  };
}

const queueOver = (queues: DurableObjectNamespace | undefined): CommitQueue =>
  queues === undefined
    ? inProcessQueue(timer)
    : commitQueue((branch) => queues.getByName(queueName(branch)) as unknown as Turns);
