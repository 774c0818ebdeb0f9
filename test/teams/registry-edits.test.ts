/** Editing the registry while it runs: conditions, races, history, restarts, and what never gets in. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type {
  AuditLog,
  RegistryHistory,
  RegistryView,
  SectionState,
  TokenList,
} from "../../src/schema/administration.ts";
import { startWorker } from "../running-worker.ts";
import { ADMIN_TOKEN, type Ask, ask, REGISTRY, startTwoTeams, TEAMS, type TwoTeams } from "./two-teams.ts";

let teams: TwoTeams;
let blueAdmin: string;
let blueReader: string;

before(async () => {
  teams = await startTwoTeams();
  blueAdmin = (await teams.token("blue", ["registry:admin"])).token;
  blueReader = (await teams.token("blue", ["pin:read"])).token;
});

after(() => teams.close());

interface Refusal {
  error: { code: string; message: string; data: { field?: string; faults?: string[]; etag?: string } };
}

const current = async () => (await teams.ask<RegistryView>("/v1/registry", { token: blueAdmin })).body;

const edit = (etag: string, given: Ask) =>
  teams.ask<SectionState & Refusal>("/v1/registry", {
    method: "PATCH",
    token: blueAdmin,
    headers: { "if-match": etag },
    ...given,
  });

const row = (name: string, more: object = {}) => ({ name, owner: "blue-inc", repo: "engine", ...more });

const catalog = async (token: string) =>
  (await teams.ask<{ repositories: { repository: string }[] }>("/v1/catalog", { token })).body.repositories
    .map(({ repository }) => repository)
    .toSorted();

test("a team's admin sees the team's section alone; the operator sees that there are others", async () => {
  const mine = await teams.ask<RegistryView>("/v1/registry", { token: blueAdmin });
  assert.equal(mine.body.team, "blue");
  assert.deepEqual(
    mine.body.repositories.map(({ name, team }) => [name, team]),
    [
      ["engine", "blue"],
      ["common", "blue"],
    ],
  );
  assert.equal(mine.headers.get("etag"), mine.body.etag);
  assert.equal(mine.headers.get("cache-control"), "private, no-store");
  assert.equal("sections" in mine.body, false);
  assert.doesNotMatch(mine.text, /green|operators/);

  const all = await teams.ask<RegistryView>("/v1/registry", { token: ADMIN_TOKEN });
  assert.deepEqual(
    all.body.repositories.map(({ name }) => name),
    ["open", "operators"],
  );
  assert.deepEqual(all.body.sections, [
    { team: null, version: 1, repositories: 2 },
    { team: "blue", version: 1, repositories: 2 },
    { team: "green", version: 1, repositories: 2 },
  ]);
});

test("an edit counts from the next call on, and another team's ETag does not move", async () => {
  const green = (await teams.token("green", ["registry:admin"])).token;
  const greenBefore = (await teams.ask<RegistryView>("/v1/registry", { token: green })).body.etag;
  const { etag } = await current();
  const added = await edit(etag, { body: { put: [row("second")] } });
  assert.equal(added.status, 200, added.text);
  assert.notEqual(added.body.etag, etag);
  assert.equal(added.headers.get("etag"), added.body.etag);
  assert.deepEqual(await catalog(blueReader), ["common", "engine", "open", "second"]);
  const removed = await edit(added.body.etag, { body: { remove: ["second"] } });
  assert.equal(removed.status, 200, removed.text);
  assert.deepEqual(await catalog(blueReader), ["common", "engine", "open"]);
  assert.equal((await teams.ask<RegistryView>("/v1/registry", { token: green })).body.etag, greenBefore);
});

test("without If-Match 428, with an old, weak or any-state one 412 or 428, and nothing is stored", async () => {
  const before = await current();
  const body = { put: [row("never")] };
  const without = await teams.ask<Refusal>("/v1/registry", { method: "PATCH", token: blueAdmin, body });
  assert.deepEqual([without.status, without.body.error.code], [428, "precondition_required"]);
  const star = await edit("*", { body });
  assert.deepEqual([star.status, star.body.error.code], [428, "precondition_required"]);
  for (const stale of ['"1-0000000000000000"', `W/${before.etag}`]) {
    const refused = await edit(stale, { body });
    assert.deepEqual([refused.status, refused.body.error.code], [412, "precondition_failed"], stale);
    assert.equal(refused.body.error.data.etag, before.etag);
  }
  assert.deepEqual(await current(), before);
});

test("what does not hold is refused with the path of the field, whole", async () => {
  const before = await current();
  const faultsOf = async (put: object, more: object[] = []) => {
    const refused = await edit(before.etag, { body: { put: [...more, put] } });
    assert.deepEqual([refused.status, refused.body.error.code], [400, "invalid_argument"], refused.text);
    return refused.body.error.data.faults ?? [refused.body.error.message];
  };
  const outside = "team blue may register blue-inc/*, octo/shared only";
  assert.deepEqual(await faultsOf(row("x", { owner: "green-inc" })), [`repositories.2.owner: ${outside}`]);
  assert.deepEqual(await faultsOf({ name: "x", owner: "octo", repo: "open" }), [
    `repositories.2.owner: ${outside}`,
  ]);
  assert.deepEqual(await faultsOf(row("x", { team: "green" })), [
    "repositories.2.team: does not belong in the section of team blue",
  ]);
  assert.match((await faultsOf(row("x", { id: 42 })))[0] ?? "", /^repositories\.2\.id: .*never by id/);
  assert.match(
    (await faultsOf(row("x", { visibility: "public" })))[0] ?? "",
    /^repositories\.2\.visibility: an entry of a team is private/,
  );
  assert.deepEqual(await faultsOf(row("x", { dney: ["*"] })), ['repositories.2: Unrecognized key: "dney"']);
  assert.match((await faultsOf(row("x", { repo: "../y" })))[0] ?? "", /^repositories\.2\.repo: /);
  assert.match((await faultsOf(row("ENGINE")))[0] ?? "", /^repositories\.2\.name: the same name/);
  assert.match((await faultsOf(row("y"), [row("y")]))[0] ?? "", /^put\.0: y is named twice/);
  const none = await edit(before.etag, { body: { remove: ["no-such"] } });
  assert.deepEqual([none.status, none.body.error.data.field], [400, "remove.0"]);
  // A good entry beside a bad one is not stored either.
  await faultsOf(row("bad", { owner: "green-inc" }), [row("good")]);
  const big = await edit(before.etag, { body: { put: [row("x", { description: "d".repeat(300_000) })] } });
  assert.equal(big.status, 413);
  assert.deepEqual(await current(), before);
});

test("of edits made on one state exactly one wins, again and again, and nothing is lost", async () => {
  const start = await current();
  const winners: string[] = [];
  for (let round = 0; round < 6; round++) {
    const { etag } = await current();
    const replies = await Promise.all(
      ["a", "b", "c", "d"].map((letter) => edit(etag, { body: { put: [row(`race-${round}-${letter}`)] } })),
    );
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 412, 412, 412]);
    const [won] = replies.filter(({ status }) => status === 200);
    winners.push(won?.body.repositories.at(-1)?.name ?? "");
  }
  const names = (await current()).repositories.map(({ name }) => name);
  assert.deepEqual(names, [...start.repositories.map(({ name }) => name), ...winners]);
  assert.equal((await current()).version, start.version + 6);
});

test("every version is kept, can be read, and restored as a new one", async () => {
  const history: RegistryHistory["versions"] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = await teams.ask<RegistryHistory>(`/v1/registry/history?limit=3${query}`, {
      token: blueAdmin,
    });
    history.push(...page.body.versions);
    cursor = page.body.nextCursor;
  } while (cursor !== null);
  const { version: newest, etag } = await current();
  assert.deepEqual(
    history.map(({ version }) => version),
    Array.from({ length: newest }, (_, index) => newest - index),
  );
  assert.deepEqual(history.at(-1)?.change, { added: ["engine", "common"], removed: [], changed: [] });
  assert.equal(history.at(-1)?.by, "seed");

  const first = await teams.ask<SectionState>("/v1/registry/history/1", { token: blueAdmin });
  const restored = await teams.ask<SectionState>("/v1/registry/restore", {
    token: blueAdmin,
    body: { version: 1 },
    headers: { "if-match": etag },
  });
  assert.equal(restored.status, 200, restored.text);
  assert.equal(restored.body.version, newest + 1);
  assert.deepEqual(restored.body.repositories, first.body.repositories);
  const after = await teams.ask<RegistryHistory>("/v1/registry/history?limit=1", { token: blueAdmin });
  assert.equal(after.body.versions[0]?.restoredFrom, 1);
});

test("an edit that changes nothing makes no version and no line of the audit", async () => {
  const { version, etag } = await current();
  const { body } = await teams.ask<RegistryView>("/v1/registry", { token: blueAdmin });
  const same = await edit(etag, { body: { put: body.repositories } });
  assert.equal(same.status, 200);
  assert.deepEqual([(await current()).version, (await current()).etag], [version, etag]);
});

test("a push is checked without storing it", async () => {
  const before = await current();
  const reply = await teams.ask<{ change: unknown }>("/v1/registry/validate", {
    token: blueAdmin,
    body: { version: 1, repositories: [row("engine", { description: "new" }), row("third")] },
  });
  assert.deepEqual(reply.body.change, {
    added: ["third"],
    removed: ["common"],
    changed: [{ name: "engine", fields: ["description"] }],
  });
  assert.deepEqual(await current(), before);
});

test("the audit tells who did what, from which version to which, and holds no token", async () => {
  const issued = await teams.token("blue", ["pin:read"]);
  await teams.ask(`/v1/tokens/${issued.row.id}`, { method: "DELETE", token: blueAdmin });
  await teams.ask(`/v1/tokens/${issued.row.id}`, { method: "DELETE", token: blueAdmin });
  const events: AuditLog["events"] = [];
  let cursor: string | null = null;
  const pages: string[] = [];
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = await teams.ask<AuditLog>(`/v1/audit?limit=7${query}`, { token: blueAdmin });
    pages.push(page.text);
    events.push(...page.body.events);
    cursor = page.body.nextCursor;
  } while (cursor !== null);
  const [revoked, made] = events;
  const admin = (await teams.ask<TokenList>("/v1/tokens", { token: blueAdmin })).body.tokens.find(
    ({ scopes }) => scopes.includes("registry:admin"),
  );
  assert.deepEqual(
    [revoked?.action, revoked?.subject, revoked?.by],
    ["token.revoke", issued.row.id, `token:${admin?.id}`],
  );
  assert.deepEqual([made?.action, made?.subject, made?.by], ["token.issue", issued.row.id, "operator"]);
  const [edited] = events.filter(({ action }) => action === "registry.restore");
  const { from, to, restoredFrom } = (edited?.detail ?? {}) as Record<string, { version: number }>;
  assert.deepEqual([restoredFrom, (to?.version ?? 0) - (from?.version ?? 0)], [1, 1]);
  assert.equal(events.at(-1)?.action, "registry.seed");
  assert.ok(events.every(({ team }) => team === "blue"));
  const everything = await teams.ask("/v1/audit?limit=100", { token: ADMIN_TOKEN });
  for (const text of [...pages, everything.text, ...teams.worker.logs]) {
    for (const secret of [blueAdmin, issued.token, ADMIN_TOKEN, "the-services-own-credential"]) {
      assert.equal(text.includes(secret), false);
      assert.equal(text.includes(secret.slice(-20)), false);
    }
  }
});

test("a restart in the middle of edits keeps the last good version, the tokens, and nothing by halves", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gitpin-state-"));
  const options = {
    entry: "src/worker.ts",
    stateFolder: folder,
    durableObjects: { LIVE_REGISTRY: "RegistryObject" },
    vars: {
      PUBLIC_URL: "{url}",
      ADMIN_TOKEN,
      TEAMS: JSON.stringify(TEAMS),
      REGISTRY: JSON.stringify(REGISTRY),
    },
  };
  try {
    const first = await startWorker(options);
    const issue = { team: "blue", scopes: ["registry:admin"], label: "restart" };
    const issued = await ask<{ token: string }>(first.url, "/v1/tokens", { token: ADMIN_TOKEN, body: issue });
    const { token } = issued.body;
    let confirmed = 1;
    let stop = false;
    const reached = Promise.withResolvers<void>();
    // Edits follow one another until the runtime is gone under them.
    const edits = (async () => {
      let { etag } = (await ask<RegistryView>(first.url, "/v1/registry", { token })).body;
      for (let count = 0; !stop; count++) {
        const reply = await ask<SectionState>(first.url, "/v1/registry", {
          method: "PATCH",
          token,
          headers: { "if-match": etag },
          body: { put: [row(`edit-${count}`)] },
        }).catch(() => null);
        if (reply === null || reply.status !== 200) return;
        ({ etag, version: confirmed } = reply.body);
        if (confirmed === 5) reached.resolve();
      }
    })();
    await Promise.race([reached.promise, edits]);
    assert.ok(confirmed >= 5, "the edits stopped by themselves");
    await first.close();
    stop = true;
    await edits;

    // The seed of the second start is another: what was edited stays.
    const second = await startWorker({
      ...options,
      vars: { ...options.vars, REGISTRY: JSON.stringify({ version: 1, repositories: [] }) },
    });
    const state = await ask<RegistryView>(second.url, "/v1/registry", { token });
    assert.equal(state.status, 200, state.text);
    // An edit whose answer was lost may have been stored; one that was confirmed must have been.
    assert.ok([confirmed, confirmed + 1].includes(state.body.version), `${confirmed}, ${state.body.version}`);
    assert.equal(state.body.repositories.length, 2 + state.body.version - 1);
    const history = await ask<RegistryHistory>(second.url, "/v1/registry/history?limit=100", { token });
    assert.equal(history.body.versions.length, state.body.version);
    const audit = await ask<AuditLog>(second.url, "/v1/audit?limit=100", { token });
    assert.equal(
      audit.body.events.filter(({ action }) => action.startsWith("registry.")).length,
      state.body.version,
    );
    await second.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
