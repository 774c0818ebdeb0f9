/**
 * A Worker that only queues and keeps requests, for `test/commits-in-workerd.test.ts`: `/turn` works in its turn, `/ledger` runs one
 * operation of the ledger. Not part of the product.
 */
import { commitQueue, queueName, type Turns } from "../../src/commits/queue/commit-queue.ts";
import { type RequestsHome, requestLedger } from "../../src/commits/requests/request-ledger.ts";
import { GitpinError } from "../../src/errors.ts";
import type { Caller } from "../../src/ports/registry.ts";
import type { RequestLedger } from "../../src/ports/request-ledger.ts";

export { BranchQueueObject } from "../../src/commits/queue/branch-queue-object.ts";
export { RequestLedgerObject } from "../../src/commits/requests/request-ledger-object.ts";

interface Environment {
  BRANCH_QUEUES: DurableObjectNamespace;
  REQUESTS: DurableObjectNamespace;
}

/** Who works at the moment, the most at a time, and who has worked; while `held`, nobody comes to an end. */
const state = { atWork: 0, most: 0, done: [] as string[], held: false };

async function work(name: string): Promise<void> {
  state.atWork += 1;
  state.most = Math.max(state.most, state.atWork);
  do await scheduler.wait(1);
  while (state.held);
  state.atWork -= 1;
  state.done.push(name);
}

export interface LedgerCall {
  operation: keyof RequestLedger;
  caller: Caller;
  given: unknown[];
}

export default {
  async fetch(request: Request, { BRANCH_QUEUES, REQUESTS }: Environment): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/state") return Response.json(state);
    if (pathname === "/hold") {
      state.held = searchParams.get("on") === "1";
      return new Response();
    }
    if (pathname === "/turn") {
      const branch = { repositoryId: 7, branch: searchParams.get("branch") ?? "" };
      const queue = commitQueue((key) => BRANCH_QUEUES.getByName(queueName(key)) as unknown as Turns);
      await queue.inTurn(branch, () => work(searchParams.get("name") ?? ""));
      return new Response("done");
    }
    const { operation, caller, given } = (await request.json()) as LedgerCall;
    const ledger = requestLedger((name) => REQUESTS.getByName(name) as unknown as RequestsHome);
    const run = ledger[operation] as (caller: Caller, ...given: unknown[]) => Promise<unknown>;
    try {
      return Response.json((await run(caller, ...given)) ?? null);
    } catch (error) {
      if (!(error instanceof GitpinError)) throw error;
      return Response.json(error.report(), { status: 400 });
    }
  },
};
