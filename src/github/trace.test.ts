/** A trace goes with requests to the API, and with no others. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Awkward, awkwardRepository } from "../../test/repositories/awkward.ts";
import { type Hosted, hosted, REPOSITORY_ID } from "../../test/repositories/hosted.ts";
import { newLedger } from "../ports/ledger.ts";
import { repositoryEntry } from "../schema/registry.ts";

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

let awkward: Awkward;
let at: Hosted;
before(async () => {
  awkward = awkwardRepository();
  at = await hosted(awkward.repository.path);
});
after(async () => {
  await at.host.close();
  awkward.repository.remove();
});

/** Address and `traceparent` of every request of one call that reads a commit and its archive. */
async function sent(traceparent: string | undefined): Promise<[string, string | null][]> {
  const seen: [string, string | null][] = [];
  const recording: typeof fetch = (input, init) => {
    seen.push([String(input), new Headers(init?.headers).get("traceparent")]);
    return fetch(input, init);
  };
  const entry = repositoryEntry.parse({ name: "awkward", owner: "octo", repo: "awkward", id: REPOSITORY_ID });
  const background = { keepAlive: () => undefined };
  const reader = at
    .isolate({ fetch: recording })
    .open(entry, { ledger: newLedger(), background, traceparent });
  const commit = await reader.commit(awkward.head);
  assert.ok(commit);
  await reader.files(commit, async () => null);
  return seen;
}

test("the API gets it; where the archive lies does not", async () => {
  const seen = await sent(TRACEPARENT);
  const api = seen.filter(([url]) => url.startsWith(`${at.host.url}/repositories/`));
  const elsewhere = seen.filter((one) => !api.includes(one));
  assert.ok(api.length >= 3, JSON.stringify(seen));
  assert.equal(elsewhere.length, 1, JSON.stringify(seen));
  assert.deepEqual([...new Set(api.map(([, header]) => header))], [TRACEPARENT]);
  assert.equal(elsewhere[0]?.[1], null);
});

test("without a trace nobody gets one", async () => {
  at.store.values.clear();
  assert.deepEqual([...new Set((await sent(undefined)).map(([, header]) => header))], [null]);
});
