/**
 * GitHub access as a deployment has it: the Worker in workerd with its budget and news objects, a GitHub App, webhooks, status.
 * What the stores and counts decide is tested beside them; here, that they are wired, and what callers see of it.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import { diagnoseHosted } from "../../src/cli/doctor/hosted.ts";
import type { LocalApp } from "../../src/local/host.ts";
import type { Catalog, CatalogRow } from "../../src/schema/catalog.ts";
import { type ServiceStatus, serviceStatus } from "../../src/schema/status.ts";
import { delivery, example } from "../github-webhooks/payloads.ts";
import { commitTree } from "../repositories/awkward.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

const SECRET = "a-secret-of-the-webhook";
const ADMIN = "admin-token-of-at-least-32-characters";
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

let repository: GitRepository;
let empty: GitRepository;
let first: string;
let app: LocalApp;
let stack: Stack;

before(async () => {
  repository = new GitRepository("app");
  first = repository.write("a.txt", "one\n").commit("first");
  empty = new GitRepository("empty");
  const hosted = (name: string, id: number, more: Record<string, unknown> = {}) => ({
    owner: "octo",
    name,
    path: repository.path,
    id,
    ...more,
  });
  app = {
    id: 42,
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    installations: [{ id: 900, account: "octo" }],
  };
  stack = await startStack({
    host: {
      repositories: [
        hosted("open", 1),
        hosted("secret", 2, { private: true }),
        hosted("archived", 3, { archived: true }),
        hosted("doomed", 4),
        hosted("empty", 5, { path: empty.path }),
        hosted("before", 6),
      ],
      tokens: [],
      requireToken: true,
      apps: [app],
    },
    registry: [
      { name: "open", owner: "octo", repo: "open", id: 1, visibility: "public" },
      { name: "secret", owner: "octo", repo: "secret", id: 2 },
      { name: "archived", owner: "octo", repo: "archived" },
      { name: "doomed", owner: "octo", repo: "doomed", id: 4 },
      { name: "empty", owner: "octo", repo: "empty", id: 5 },
      { name: "moving", owner: "octo", repo: "before", id: 6 },
    ],
    vars: {
      ANONYMOUS_ACCESS: "public",
      ADMIN_TOKEN: ADMIN,
      GITHUB_APP_ID: "42",
      // As it is written in an environment variable.
      GITHUB_APP_PRIVATE_KEY: privateKey
        .export({ type: "pkcs1", format: "pem" })
        .toString()
        .replaceAll("\n", "\\n"),
      GITHUB_WEBHOOK_SECRET: `an-older-secret-of-ours ${SECRET}`,
      HEAD_MAX_AGE: "3600",
    },
    durableObjects: { LIVE_REGISTRY: "RegistryObject", BUDGETS: "BudgetObject", NEWS: "NewsObject" },
  });
});

after(async () => {
  await stack.close();
  repository.remove();
  empty.remove();
  const log = stack.worker.logs.join("\n");
  assert.equal(
    /ghs_|PRIVATE KEY|eyJhbGciOi/.test(log) || log.includes(SECRET),
    false,
    "a secret is in the log",
  );
});

const asAdmin = { authorization: `Bearer ${ADMIN}`, connection: "close" };

async function ask<T>(
  path: string,
  headers: Record<string, string> = asAdmin,
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${stack.worker.url}${path}`, { headers });
  return { status: response.status, body: (await response.json()) as T };
}

async function tell(
  event: string,
  payload: unknown,
  id?: string,
): Promise<{ status: number; outcome?: string }> {
  const sent = delivery(`${stack.worker.url}/webhooks/github`, event, payload, {
    secret: SECRET,
    ...(id === undefined ? {} : { delivery: id }),
  });
  const response = await fetch(sent);
  const { outcome } = (await response.json()) as { outcome?: string };
  return { status: response.status, ...(outcome === undefined ? {} : { outcome }) };
}

const about = (name: string, id: number, more: Record<string, unknown> = {}) => ({
  ...example("push").repository,
  id,
  name,
  full_name: `octo/${name}`,
  default_branch: "main",
  ...more,
});

async function rows(): Promise<Map<string, CatalogRow>> {
  const { status, body } = await ask<Catalog>("/v1/catalog");
  assert.equal(status, 200);
  return new Map(body.repositories.map((row) => [row.repository, row]));
}

const statusOf = async (): Promise<ServiceStatus> => serviceStatus.parse((await ask("/v1/status")).body);

test("an App reads, with one look-up and one token; what is warm asks neither GitHub nor an object", async () => {
  const prove = () => ask<{ commitSha: string }>("/v1/prove?repository=secret&sourcePath=a.txt");
  const cold = await prove();
  assert.deepEqual([cold.status, cold.body.commitSha], [200, first]);
  const { host } = stack;
  assert.deepEqual(
    host.requests.slice(0, 3).map(({ method, path, status }) => `${method} ${path.split("?")[0]} ${status}`),
    [
      "GET /repositories/2/installation 200",
      "POST /app/installations/900/access_tokens 201",
      "GET /repositories/2/commits/HEAD 200",
    ],
  );
  const requests = host.requests.length;
  const before = await statusOf();
  for (let i = 0; i < 5; i++) assert.equal((await prove()).status, 200);
  const later = await statusOf();
  assert.equal(host.requests.length, requests);
  // Each look at the status asks the objects of the two holders.
  const { budgets } = before.github;
  assert.equal(later.isolate.objectCalls - before.isolate.objectCalls, budgets.length);
  assert.equal(later.isolate.cacheHits > before.isolate.cacheHits, true);
});

test("status: what is left of each budget, for admins alone", async () => {
  const status = await statusOf();
  assert.deepEqual([status.github.credential, status.github.counted], ["app", "together"]);
  const [budget] = status.github.budgets;
  assert.equal(budget?.holder, "installation:900");
  assert.deepEqual(
    budget?.buckets.map(({ resource, limit }) => [resource, limit]),
    [["core", 15_000]],
  );
  assert.ok((budget?.buckets[0]?.remaining ?? 0) < 15_000);
  assert.ok(Date.parse(budget?.buckets[0]?.resetAt ?? "") > Date.now());
  assert.equal((await ask("/v1/status", {})).status, 401);
});

test("catalog: each repository by its own status", async () => {
  const catalog = await rows();
  const seen = [...catalog].map(([name, { status }]) => `${name} ${status}`);
  assert.deepEqual(seen, [
    "open ok",
    "secret ok",
    "archived archived",
    "doomed ok",
    "empty empty",
    "moving ok",
  ]);
});

test("a rename: the catalog shows the new name, the registered one keeps working", async () => {
  stack.host.rename("octo/before", "octo/behind");
  const changes = { repository: { name: { from: "before" } } };
  assert.equal(
    (await tell("repository", { action: "renamed", changes, repository: about("behind", 6) })).status,
    202,
  );
  const row = (await rows()).get("moving");
  assert.deepEqual([row?.fullName, row?.status], ["octo/behind", "ok"]);
  const { status } = await ask("/v1/prove?repository=moving&sourcePath=a.txt");
  assert.equal(status, 200);
});

test("a push: the next answer is of the new tip, though HEAD may be an hour old", async () => {
  const head = async () =>
    (await ask<{ commitSha: string }>("/v1/prove?repository=open&sourcePath=a.txt")).body.commitSha;
  assert.equal(await head(), first);
  const next = commitTree(repository, first, { "a.txt": "two\n" }, "next");
  repository.git("update-ref", "refs/heads/main", next);
  try {
    assert.equal(await head(), first, "nobody has told");
    const push = {
      ref: "refs/heads/main",
      before: first,
      after: "e".repeat(40),
      repository: about("open", 1),
    };
    assert.deepEqual(await tell("push", push), { status: 202, outcome: "recorded" });
    assert.equal(await head(), next, "and where to, GitHub was asked itself");
  } finally {
    repository.git("update-ref", "refs/heads/main", first);
  }
});

test("a repository that turns private stops being public at once, and comes back when GitHub says so", async () => {
  const read = async (headers: Record<string, string>) =>
    (await ask("/v1/prove?repository=open&sourcePath=a.txt", headers)).status;
  const listed = async () =>
    (await ask<Catalog>("/v1/catalog", {})).body.repositories.map((row) => row.repository);
  assert.equal(await read({}), 200);
  assert.deepEqual(await listed(), ["open"]);
  await tell("repository", { action: "privatized", repository: about("open", 1, { private: true }) });
  assert.equal(await read({}), 404);
  assert.deepEqual(await listed(), []);
  assert.equal(await read(asAdmin), 200, "the operator keeps seeing it");
  await tell("repository", { action: "publicized", repository: about("open", 1) });
  assert.equal(await read({}), 200);
});

test("deleted, and access taken away: each its own status, with the last known HEAD", async () => {
  stack.host.remove("octo/doomed");
  await tell("repository", { action: "deleted", repository: about("doomed", 4) });
  const doomed = (await rows()).get("doomed");
  assert.deepEqual([doomed?.status, doomed?.stale, doomed?.headSha], ["deleted", true, first]);

  const [installation] = app.installations;
  assert.ok(installation);
  installation.repositories = ["octo/open", "octo/archived", "octo/empty", "octo/behind"];
  const removed = [{ id: 2, full_name: "octo/secret", name: "secret", private: true }];
  const payload = { ...example("installation_repositories", "removed"), repositories_removed: removed };
  assert.equal((await tell("installation_repositories", payload)).outcome, "recorded");
  const secret = (await rows()).get("secret");
  assert.deepEqual([secret?.status, secret?.stale], ["no_access", true]);
  installation.repositories = ["octo/secret", ...installation.repositories];
  await tell("installation_repositories", {
    ...payload,
    action: "added",
    repositories_added: removed,
    repositories_removed: [],
  });
  const back = (await rows()).get("secret");
  assert.equal(back?.stale, false, `${back?.reason}`);
});

test("webhooks from anybody else are refused, replays do nothing, other events are taken", async () => {
  const address = `${stack.worker.url}/webhooks/github`;
  const push = { ref: "refs/heads/main", repository: about("open", 1) };
  const forged = await fetch(delivery(address, "push", push, { secret: "a-secret-that-is-not-ours" }));
  assert.equal(forged.status, 403);
  assert.equal((await fetch(delivery(address, "push", push, { secret: null }))).status, 403);
  assert.equal((await fetch(address)).status, 405);
  const id = "bbbbbbbb-0000-0000-0000-000000000001";
  assert.equal((await tell("push", push, id)).outcome, "recorded");
  assert.equal((await tell("push", push, id)).outcome, "duplicate");
  assert.deepEqual(await tell("star", { action: "created" }), { status: 202, outcome: "ignored" });
  assert.equal((await tell("ping", example("ping"))).outcome, "recorded");
});

test("doctor, with an admin's token, tells what is left of GitHub's limits", async () => {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const findings = { ok: say, note: say, fail: say };
  await diagnoseHosted({ base: stack.worker.url, token: ADMIN }, findings);
  const left = said.find((line) => line.startsWith("GitHub, installation:900: "));
  assert.match(left ?? said.join("\n"), /: \d+ of 15000 requests of core left until 20/);
  assert.ok(said.some((line) => /^webhooks: received, [1-9]\d* so far$/.test(line)));
  said.length = 0;
  await diagnoseHosted({ base: stack.worker.url, token: null }, findings);
  assert.ok(!said.some((line) => line.startsWith("GitHub, ")));
});

test("a revoked token in mid-flight is renewed without the caller noticing", async () => {
  stack.host.apps.revokeAll();
  const next = commitTree(repository, first, { "b.txt": "new\n" }, "new");
  repository.git("update-ref", "refs/heads/main", next);
  await tell("push", { ref: "refs/heads/main", repository: about("open", 1) });
  const { status } = await ask("/v1/prove?repository=open&sourcePath=b.txt");
  repository.git("update-ref", "refs/heads/main", first);
  assert.equal(status, 200);
  assert.ok(stack.host.requests.some((request) => request.status === 401));
});
