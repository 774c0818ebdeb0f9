// Apps of the local host, as a client meets them: JWTs judged, tokens that end, repositories that they open.
import assert from "node:assert/strict";
import { createSign, generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";
import { type LocalApp, type LocalHost, startLocalHost } from "./host.ts";
import { parsed, send } from "./testing/client.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const clock = { ms: Date.UTC(2026, 5, 1) };
const app: LocalApp = {
  id: 42,
  publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  installations: [{ id: 900, account: "octo", repositories: ["octo/open"] }],
};
let repository: GitRepository;
let host: LocalHost;

before(async () => {
  repository = new GitRepository("r");
  repository.write("a.txt", "a\n").commit("first");
  const served = (name: string) => ({ owner: "octo", name, path: repository.path, private: true });
  host = await startLocalHost({
    repositories: [
      { ...served("open"), id: 1 },
      { ...served("closed"), id: 2 },
    ],
    apps: [app],
    now: () => clock.ms,
  });
});
after(async () => {
  await host.close();
  repository.remove();
});

function jwt(claims: Record<string, unknown> = {}, key = privateKey): string {
  const now = Math.floor(clock.ms / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 30, exp: now + 500, iss: "42", ...claims })}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}

const ask = (path: string, token: string, method = "GET") =>
  send(host.url, path, { method, headers: { authorization: `Bearer ${token}` } });

const status = async (path: string, token: string, method?: string) =>
  (await ask(path, token, method)).status;

test("a JWT is judged by signature, time and issuer", async () => {
  const now = clock.ms / 1000;
  assert.equal(await status("/app/installations", jwt()), 200);
  assert.equal(await status("/app/installations", jwt({}, other.privateKey)), 401);
  assert.equal(await status("/app/installations", jwt({ exp: now - 1 })), 401);
  assert.equal(await status("/app/installations", jwt({ exp: now + 700 })), 401);
  assert.equal(await status("/app/installations", jwt({ iat: now + 60 })), 401);
  assert.equal(await status("/app/installations", jwt({ iss: "43" })), 404);
  assert.equal(await status("/app/installations", "no-jwt"), 401);
  assert.equal(await status("/repos/octo/open/git/trees/main", jwt()), 401);
});

test("a repository's installation, and a token that opens just its repositories, for an hour", async () => {
  assert.equal(await status("/repos/octo/closed/installation", jwt()), 404);
  const found = parsed<{ id: number }>(await ask("/repositories/1/installation", jwt()));
  assert.equal(found.id, 900);
  const issued = await ask("/app/installations/900/access_tokens", jwt(), "POST");
  assert.equal(issued.status, 201);
  const { token, expires_at: expiresAt } = parsed<{ token: string; expires_at: string }>(issued);
  assert.ok(token.length > 40);
  assert.equal(Date.parse(expiresAt), clock.ms + 3_600_000);
  assert.equal(await status("/repos/octo/open", token), 200);
  assert.equal(await status("/repos/octo/closed", token), 404);
  clock.ms += 3_600_000;
  assert.equal(await status("/repos/octo/open", token), 401);
});

test("a suspended installation gives no token, and its tokens open nothing", async () => {
  const [installation] = app.installations;
  assert.ok(installation);
  const issued = parsed<{ token: string }>(await ask("/app/installations/900/access_tokens", jwt(), "POST"));
  installation.suspended = true;
  assert.equal(await status("/app/installations/900/access_tokens", jwt(), "POST"), 403);
  assert.equal(await status("/repos/octo/open", issued.token), 401);
  installation.suspended = false;
  assert.equal(await status("/repos/octo/open", issued.token), 200);
});
