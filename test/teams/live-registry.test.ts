/** The registry in an isolate's memory: what is asked when, and what stands when the object cannot be asked or read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { teamMap } from "../../src/auth/team-map.ts";
import { mintToken, TOKEN_BYTES } from "../../src/auth/token.ts";
import { GitpinError } from "../../src/errors.ts";
import { ANONYMOUS } from "../../src/ports/registry.ts";
import { LiveRegistry } from "../../src/registry/live-registry.ts";
import { checkRegistry } from "../../src/registry/parse-registry.ts";
import type { RegistryFile } from "../../src/schema/registry.ts";
import { storeInNode } from "./store-in-node.ts";
import { REGISTRY, TEAMS } from "./two-teams.ts";

const teams = teamMap(TEAMS);
const NOW = "2026-06-01T00:00:00.000Z";

function isolate(seed: () => RegistryFile = () => checkRegistry(REGISTRY)) {
  const node = storeInNode();
  const open = () =>
    new LiveRegistry({
      home: node.home,
      teams,
      clock: node.clock,
      anonymous: "public",
      maxAgeMs: 10_000,
      seed,
    });
  return { ...node, open, live: open() };
}

const issue = (node: ReturnType<typeof isolate>, fill: number, expiresAt: string | null = null) => {
  const minted = mintToken(new Uint8Array(TOKEN_BYTES).fill(fill));
  const { id, hash } = minted;
  node.store.issue({ id, hash, team: "blue", scopes: ["pin:read"], label: "test", expiresAt }, "operator");
  return { id, hash };
};

const blue = { id: "token:x", team: "blue", scopes: ["pin:read"] };
const namesOf = async (live: LiveRegistry, caller: Parameters<LiveRegistry["visible"]>[0] = ANONYMOUS) =>
  (await live.visible(caller)).map(({ name }) => name);

const fails = (code: string) => (error: unknown) => error instanceof GitpinError && error.code === code;

test("a token is looked up at every call, so a revocation holds from the next one on, in every isolate", async () => {
  const node = isolate();
  const other = node.open();
  const proof = issue(node, 1);
  const good = { status: "good", id: proof.id, team: "blue", scopes: ["pin:read"] };
  assert.deepEqual(await node.live.enter(proof), good);
  assert.deepEqual(await other.enter(proof), good);
  node.store.revoke("blue", proof.id, "operator");
  assert.deepEqual(await node.live.enter(proof), { status: "revoked" });
  assert.deepEqual(await other.enter(proof), { status: "revoked" });
});

test("a team that is no longer on the operator's map takes its tokens along", async () => {
  const node = isolate();
  const proof = issue(node, 1);
  const { blue: _, ...rest } = TEAMS as Record<string, object>;
  const narrowed = new LiveRegistry({
    home: node.home,
    teams: teamMap(rest as typeof TEAMS),
    clock: node.clock,
    anonymous: "public",
    maxAgeMs: 10_000,
    seed: () => checkRegistry({ version: 1, repositories: [] }),
  });
  assert.deepEqual(await narrowed.enter(proof), { status: "revoked" });
});

test("a token holds until the millisecond it expires; a right id with a wrong secret is unknown", async () => {
  const node = isolate();
  const proof = issue(node, 1, "2026-06-01T00:00:01.000Z");
  node.clock.ms += 999;
  assert.equal((await node.live.enter(proof))?.status, "good");
  assert.deepEqual(await node.live.enter({ id: proof.id, hash: "0".repeat(64) }), { status: "unknown" });
  node.clock.ms += 1;
  assert.deepEqual(await node.live.enter(proof), { status: "expired" });
});

test("calls without a token ask once in the bound; calls with one bring news along", async () => {
  const node = isolate();
  await node.live.enter(null);
  assert.deepEqual(await namesOf(node.live), ["open"]);
  const asked = node.asked();
  node.clock.ms += 9999;
  await node.live.enter(null);
  assert.equal(node.asked(), asked);
  const entries = checkRegistry({
    version: 1,
    repositories: [{ name: "new", owner: "octo", repo: "new", visibility: "public" }],
  }).repositories;
  node.store.write({ section: null, ifMatch: null, entries, restoredFrom: null }, "operator");
  assert.deepEqual(await namesOf(node.live), ["open"]);
  node.clock.ms += 1;
  await node.live.enter(null);
  assert.deepEqual(await namesOf(node.live), ["new"]);
  assert.deepEqual(node.live.status(), { source: "live", readAt: "2026-06-01T00:00:10.000Z", stale: null });
});

test("an object that cannot be asked: tokens are refused, others get the last good state, which says so", async () => {
  const node = isolate();
  const proof = issue(node, 1);
  await node.live.enter(proof);
  node.failing.on = true;
  await assert.rejects(node.live.enter(proof), fails("registry_unavailable"));
  node.clock.ms += 20_000;
  await node.live.enter(null);
  assert.deepEqual(await namesOf(node.live), ["open"]);
  assert.deepEqual(node.live.status(), {
    source: "live",
    readAt: NOW,
    stale: { code: "registry_unavailable", reason: "The live registry could not be asked." },
  });
  // An isolate that never read it has nothing to stand on.
  await assert.rejects(node.open().enter(null), fails("registry_unavailable"));
  node.failing.on = false;
  await node.live.enter(proof);
  assert.equal(node.live.status().stale, null);
});

test("a stored section that does not hold leaves the last good one in place, and the other sections move on", async () => {
  const node = isolate();
  await node.live.enter(null);
  assert.deepEqual(await namesOf(node.live, blue), ["engine", "common", "open"].toSorted(order));
  node.database.exec("UPDATE section_versions SET text = '[{\"name\":' WHERE section = 'blue'");
  const entries = checkRegistry({
    version: 1,
    repositories: [{ name: "new", owner: "octo", repo: "new", visibility: "public" }],
  }).repositories;
  node.store.write({ section: null, ifMatch: null, entries, restoredFrom: null }, "operator");
  node.clock.ms += 10_000;
  await node.live.enter(null);
  assert.deepEqual((await namesOf(node.live, blue)).toSorted(), ["common", "engine", "new"]);
  assert.equal(node.live.status().stale?.code, "registry_unreadable");
  // An isolate that never saw a good state of it shows none of it, and says so as well.
  const late = node.open();
  await late.enter(null);
  assert.deepEqual(await namesOf(late, blue), ["new"]);
  assert.equal(late.status().stale?.code, "registry_unreadable");
});

const order = (a: string, b: string) =>
  ["open", "engine", "common"].indexOf(a) - ["open", "engine", "common"].indexOf(b);

test("a seed that does not hold never starts a registry, and never touches one that runs", async () => {
  const broken = () => checkRegistry({ version: 1, repositories: [{ name: "x" }] });
  const node = isolate(broken);
  await assert.rejects(node.live.enter(null), fails("invalid_argument"));
  const outside = isolate(() =>
    checkRegistry({ version: 1, repositories: [{ name: "x", owner: "octo", repo: "x", team: "blue" }] }),
  );
  await assert.rejects(outside.live.enter(null), fails("invalid_argument"));
  node.store.seed([{ section: null, entries: [] }]);
  await node.live.enter(null);
  assert.deepEqual(await namesOf(node.live), []);
});
