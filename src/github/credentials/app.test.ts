/** A GitHub App against the local host, which judges its JWTs with the public key: installations, tokens, ends and renewals. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { type Awkward, awkwardRepository } from "../../../test/repositories/awkward.ts";
import { type Hosted, hosted, REPOSITORY_ID } from "../../../test/repositories/hosted.ts";
import { budgetObjects, type ObjectsInNode } from "../../../test/repositories/objects-in-node.ts";
import { GitpinError } from "../../errors.ts";
import type { LocalApp, LocalInstallation } from "../../local/host.ts";
import { deployGitHub } from "../deployment.ts";
import type { GitHub } from "../github.ts";
import { appKeyOf } from "./app-key.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = appKeyOf(privateKey.export({ type: "pkcs1", format: "pem" }).toString());

let awkward: Awkward;
let at: Hosted;
let app: LocalApp;
let installation: LocalInstallation;

before(() => {
  awkward = awkwardRepository();
});
beforeEach(async () => {
  installation = { id: 900, account: "octo", repositories: ["octo/awkward"] };
  app = {
    id: 42,
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    installations: [installation],
  };
  at = await hosted(awkward.repository.path, { apps: [app], tokens: [] });
});
afterEach(() => at.host.close());
after(() => awkward.repository.remove());

const settings = (key = KEY) => ({
  id: "42",
  privateKey: key,
  apiUrl: at.host.url,
  fetch,
  timeoutMs: 10_000,
  userAgent: "gitpin-test",
});

/** Another isolate; with `objects`, one of several that share them. */
function isolate(objects?: ObjectsInNode, key = KEY): GitHub {
  const { credentials, budgets } = deployGitHub({
    apiUrl: at.host.url,
    token: null,
    app: settings(key),
    clock: at.clock,
    budgets: objects,
    news: undefined,
    newsMaxAgeMs: 5000,
    webhookSecrets: [],
  });
  return at.isolate({ credentials, budgets, token: null });
}

const shared = () => budgetObjects(at.clock, settings());

const paths = () => at.host.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);

const mints = () => at.host.requests.filter(({ path }) => path.endsWith("/access_tokens")).length;

async function code(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => "no error",
    (error: unknown) => error,
  );
  if (!(outcome instanceof GitpinError)) return String(outcome);
  const text = JSON.stringify(outcome.report());
  assert.ok(!/ghs_|eyJ|PRIVATE KEY/.test(text), text);
  return outcome.code;
}

test("the first read: installation, token, then the read; the next one needs neither", async () => {
  const github = isolate();
  const { reader, ledger } = at.call(github);
  assert.equal((await reader.head()).sha, awkward.head);
  assert.deepEqual(paths(), [
    `GET /repositories/${REPOSITORY_ID}/installation 200`,
    "POST /app/installations/900/access_tokens 201",
    `GET /repositories/${REPOSITORY_ID}/commits/HEAD?per_page=1 200`,
  ]);
  assert.equal(ledger.upstreamRequests, 3, "each of them is in the call's ledger");
  const [issued] = at.host.apps.issued;
  assert.ok((issued?.value.length ?? 0) > 40);
  assert.deepEqual(issued?.permissions, { contents: "read", metadata: "read" }, "no more than it needs");
  at.forget();
  await at.call(github).reader.commit(awkward.before);
  assert.deepEqual(paths(), [`GET /repositories/${REPOSITORY_ID}/git/commits/${awkward.before} 200`]);
});

test("found by name where the registry has no id, through a rename", async () => {
  at.host.rename("octo/awkward", "octo/renamed");
  installation.repositories = ["octo/renamed"];
  await at.call(isolate(), { id: undefined }).reader.head();
  assert.deepEqual(paths().slice(0, 3), [
    "GET /repos/octo/awkward/installation 301",
    `GET /repositories/${REPOSITORY_ID}/installation 200`,
    "POST /app/installations/900/access_tokens 201",
  ]);
});

test("many at once, in two isolates: one look-up, one token", async () => {
  const objects = shared();
  const isolates = [isolate(objects), isolate(objects)];
  const reads = Array.from({ length: 40 }, (_, i) => {
    const github = isolates[i % 2];
    assert.ok(github);
    return at.call(github).reader.head();
  });
  const heads = await Promise.all(reads);
  assert.deepEqual([...new Set(heads.map(({ sha }) => sha))], [awkward.head]);
  assert.equal(mints(), 1);
  assert.equal(at.host.requests.filter(({ path }) => path.endsWith("/installation")).length, 1);
});

test("a token is used until shortly before it ends, then another is minted", async () => {
  const github = isolate();
  await at.call(github).reader.head();
  at.clock.ms += 54 * 60_000;
  await at.call(github).reader.head();
  assert.equal(mints(), 1);
  at.clock.ms += 2 * 60_000;
  await at.call(github).reader.head();
  assert.equal(mints(), 2);
  assert.ok(at.host.requests.every(({ status }) => status < 400));
});

test("a token that is refused in mid-flight is renewed once, in every isolate that held it", async () => {
  const objects = shared();
  const [first, second] = [isolate(objects), isolate(objects)];
  const commits = [];
  for (const github of [first, second]) {
    at.store.values.clear();
    commits.push(await at.call(github).reader.commit(awkward.before));
  }
  at.host.apps.revokeAll();
  at.forget();
  for (const [i, github] of [first, second].entries()) {
    at.store.values.clear();
    const commit = commits[i];
    assert.ok(commit);
    assert.ok((await at.call(github).reader.paths(commit)).complete);
  }
  assert.deepEqual(
    at.host.requests.map(({ status }) => status),
    [401, 201, 200, 401, 200],
    "the second isolate finds the token that the first one had minted",
  );
});

test("refused again after renewal: an error, not a storm", async () => {
  const github = isolate();
  await at.call(github).reader.head();
  at.forget();
  at.host.faults.add({
    kind: "status",
    status: 401,
    message: "Bad credentials",
    match: (_, path) => path.includes("/git/commits/"),
  });
  assert.equal(await code(at.call(github).reader.commit(awkward.before)), "upstream_unauthorized");
  assert.deepEqual(
    at.host.requests.map(({ status }) => status),
    [401, 201, 401],
  );
});

test("not installed, suspended, or without the permission: no access, said once a minute", async () => {
  const github = isolate();
  installation.repositories = [];
  assert.equal(await code(at.call(github).reader.head()), "repository_no_access");
  assert.equal(await code(at.call(github).reader.head()), "repository_no_access");
  assert.equal(at.host.requests.length, 1);
  installation.repositories = ["octo/awkward"];
  at.clock.ms += 61_000;
  assert.equal((await at.call(github).reader.head()).sha, awkward.head);

  installation.suspended = true;
  assert.equal(await code(at.call(isolate()).reader.head()), "repository_no_access");
  installation.suspended = false;
  installation.permissions = { metadata: "read" };
  assert.equal(await code(at.call(isolate()).reader.head()), "repository_no_access");
});

test("an installation that was removed and made anew is found again", async () => {
  const github = isolate(shared());
  await at.call(github).reader.head();
  app.installations = [{ ...installation, id: 901 }];
  at.host.apps.revokeAll();
  at.clock.ms += 61_000;
  assert.equal(await code(at.call(github).reader.commit(awkward.before)), "repository_no_access");
  at.clock.ms += 61_000;
  assert.ok(await at.call(github).reader.commit(awkward.before));
});

test("another key: refused by GitHub, and said so", async () => {
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const key = appKeyOf(other.export({ type: "pkcs8", format: "pem" }).toString());
  assert.equal(await code(at.call(isolate(undefined, key)).reader.head()), "upstream_unauthorized");
});

test("clocks that differ by half an hour: the JWT goes by GitHub's", async (context) => {
  for (const difference of [-1_800_000, 1_800_000]) {
    const hostNow = at.clock.ms + difference;
    const here = await hosted(awkward.repository.path, { apps: [app], tokens: [], now: () => hostNow });
    context.after(() => here.host.close());
    const { credentials, budgets } = deployGitHub({
      apiUrl: here.host.url,
      token: null,
      app: { ...settings(), apiUrl: here.host.url },
      clock: here.clock,
      budgets: undefined,
      news: undefined,
      newsMaxAgeMs: 5000,
      webhookSecrets: [],
    });
    const github = here.isolate({ credentials, budgets, token: null });
    assert.equal((await here.call(github).reader.head()).sha, awkward.head);
    assert.deepEqual(
      here.host.requests.map(({ status }) => status),
      [401, 200, 201, 200],
    );
  }
});
