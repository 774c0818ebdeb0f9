/** A GitHub App that writes: tokens of their own for committing and for pull requests, none of them ever used for a read. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, test } from "node:test";
import { REPOSITORY_ID } from "../../../test/repositories/hosted.ts";
import { budgetObjects, type ObjectsInNode } from "../../../test/repositories/objects-in-node.ts";
import { commitFile, planned, type Writing, writing } from "../../../test/repositories/writing.ts";
import { GitpinError } from "../../errors.ts";
import type { LocalInstallation } from "../../local/host.ts";
import { deployGitHub } from "../deployment.ts";
import type { GitHub } from "../github.ts";
import { appKeyOf } from "./app-key.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = appKeyOf(privateKey.export({ type: "pkcs1", format: "pem" }).toString());
const FULL = { contents: "write", metadata: "read", pull_requests: "write", workflows: "write" };

let here: Writing;
let installation: LocalInstallation;
/** Every request's method, path and token. */
let sent: { method: string; path: string; token: string }[];

beforeEach(async () => {
  installation = { id: 900, account: "octo", repositories: ["octo/awkward"], permissions: FULL };
  sent = [];
  const key = publicKey.export({ type: "spki", format: "pem" }).toString();
  here = await writing({ apps: [{ id: 42, publicKey: key, installations: [installation] }], tokens: [] });
});
afterEach(() => here.close());

const settings = () => ({
  id: "42",
  privateKey: KEY,
  apiUrl: here.at.host.url,
  fetch,
  timeoutMs: 10_000,
  userAgent: "gitpin-test",
});

function isolate(objects?: ObjectsInNode): GitHub {
  const { credentials, budgets } = deployGitHub({
    apiUrl: here.at.host.url,
    token: null,
    app: settings(),
    clock: here.at.clock,
    budgets: objects,
    news: undefined,
    newsMaxAgeMs: 5000,
    webhookSecrets: [],
  });
  const recording: typeof fetch = (input, init) => {
    const token = new Headers(init?.headers).get("authorization")?.replace(/^token /, "") ?? "";
    const { pathname } = new URL(String(input));
    sent.push({
      method: init?.method ?? "GET",
      path: pathname.replace(`/repositories/${REPOSITORY_ID}`, ""),
      token,
    });
    return fetch(input, init);
  };
  return here.at.isolate({ credentials, budgets, token: null, fetch: recording });
}

/** Who asked for what: each request of the adapter with the permissions of its token. */
const used = (): string[] =>
  sent.map(({ method, path, token }) => {
    const issued = here.at.host.apps.issued.find(({ value }) => value === token);
    const permissions = Object.entries(issued?.permissions ?? {})
      .filter(([name]) => name !== "metadata")
      .map(([name, level]) => `${name}:${level}`);
    return `${method} ${path} ${permissions.join(" ")}`;
  });

const mints = (): number =>
  here.at.host.requests.filter(({ path }) => path.endsWith("/access_tokens")).length;

async function landed(github: GitHub, parent: string, text: string): Promise<string> {
  const { reader, writer } = here.at.call(github);
  const request = await planned(reader, parent, [commitFile("a", text)]);
  const commit = await writer.prepare(request);
  assert.equal(await writer.advance("main", parent, commit), "moved");
  return commit;
}

test("each request carries a token that is good for nothing else, and workflows are never asked for", async () => {
  const github = isolate();
  const { reader, writer } = here.at.call(github);
  await reader.identity();
  assert.equal(await writer.tip("main"), here.head);
  const request = await planned(reader, here.head, [commitFile("a", "a\n")]);
  const commit = await writer.prepare(request);
  await writer.createBranch("agent/one", commit);
  assert.equal(await writer.advance("main", here.head, commit), "moved");
  await writer.landed("main", here.head);
  here.git("update-ref", "refs/heads/main", here.head);
  const input = { title: "T", head: "agent/one", base: "main" };
  assert.deepEqual(await writer.openPullRequest(input), await writer.openPullRequest(input));
  const reads = "contents:read";
  const writes = "contents:write";
  const proposes = "contents:read pull_requests:write";
  assert.deepEqual(used(), [
    `GET  ${reads}`,
    `GET /commits/heads%2Fmain ${reads}`,
    `GET /git/trees/${here.git("rev-parse", `${here.head}^{tree}`)} ${reads}`,
    `POST /git/trees ${writes}`,
    `POST /git/commits ${writes}`,
    `POST /git/refs ${writes}`,
    `POST /graphql ${writes}`,
    `GET /commits/heads%2Fmain ${reads}`,
    `GET /compare/${here.head}...${commit} ${reads}`,
    `POST /pulls ${proposes}`,
    `POST /pulls ${proposes}`,
    `GET /pulls ${proposes}`,
  ]);
  assert.equal(mints(), 3);
  assert.equal(here.git("log", "-1", "--format=%an", commit), "app-42[bot]");
});

test("many commits: one token for writing, minted anew before it ends, shared by isolates", async () => {
  const objects = budgetObjects(here.at.clock, settings());
  const [first, second] = [isolate(objects), isolate(objects)];
  const one = await landed(first, here.head, "1\n");
  const two = await landed(second, one, "2\n");
  assert.equal(mints(), 2, "one for reading, one for writing");
  here.at.clock.ms += 56 * 60_000;
  await landed(first, two, "3\n");
  assert.equal(mints(), 4);
});

test("a token for writing that is refused is renewed once; then the write is made, once", async () => {
  const github = isolate();
  const one = await landed(github, here.head, "1\n");
  here.at.host.apps.revokeAll();
  here.at.forget();
  const { writer } = here.at.call(github);
  assert.equal(await writer.createBranch("agent/one", one), "moved");
  assert.deepEqual(
    here.asked().map((line) => line.replace(/^(\S+) .*?(\d+)$/, "$1 $2")),
    ["POST 401", "POST 201", "POST 201"],
  );
  assert.equal(here.git("rev-parse", "agent/one"), one);
});

test("an installation that may not write reads on, and says what it lacks", async () => {
  const refused = async (work: Promise<unknown>, permission: string): Promise<void> => {
    await assert.rejects(work, (error: unknown) => {
      assert.ok(error instanceof GitpinError, String(error));
      assert.ok(!/ghs_|eyJ/.test(JSON.stringify(error.report())));
      assert.deepEqual([error.code, error.data], ["write_forbidden", { permission, reason: "permission" }]);
      assert.ok(error.nextStep.includes(permission), error.nextStep);
      return true;
    });
  };
  const read = { contents: "read", metadata: "read" };
  installation.permissions = read;
  const github = isolate();
  const { reader, writer } = here.at.call(github);
  const request = await planned(reader, here.head, [commitFile("a", "a\n")]);
  await refused(writer.prepare(request), "contents: write");
  await refused(writer.createBranch("agent/one", here.head), "contents: write");
  await refused(writer.openPullRequest({ title: "T", head: "a", base: "main" }), "pull_requests: write");
  assert.equal(await writer.tip("main"), here.head);

  installation.permissions = { ...read, contents: "write" };
  const commit = await writer.prepare(request);
  assert.equal(await writer.createBranch("agent/one", commit), "moved");
  await refused(
    writer.openPullRequest({ title: "T", head: "agent/one", base: "main" }),
    "pull_requests: write",
  );
});

test("an installation that may change workflows does not do it for us", async () => {
  const github = isolate();
  const { reader, writer } = here.at.call(github);
  const request = await planned(reader, here.head, [commitFile(".github/workflows/ci.yml", "on: push\n")]);
  await assert.rejects(writer.prepare(request), {
    code: "write_forbidden",
    data: { permission: "workflows: write", reason: "workflows" },
  });
  assert.equal(here.git("rev-parse", "main"), here.head);
});
