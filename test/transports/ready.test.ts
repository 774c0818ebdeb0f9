/** `/readyz` as whoever sends traffic here sees it: in words, in this process; and once on the whole stack. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readiness } from "../../src/http/ready.ts";
import type { HostStanding, RegistryStanding } from "../../src/ports/readiness.ts";
import { GitRepository } from "../repositories/git.ts";
import { startStack } from "../stack.ts";

const checkedAt = "2026-06-01T00:00:00.000Z";

async function said(
  registry: RegistryStanding,
  host: Omit<HostStanding, "checkedAt">,
  accept = "application/json",
): Promise<{ status: number; retryAfter: string | null; text: string }> {
  const source = { registry: async () => registry, host: async () => ({ ...host, checkedAt }) };
  const request = new Request("http://127.0.0.1/readyz", { headers: { accept } });
  const response = await readiness(source, request, { keepAlive: () => undefined });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    text: await response.text(),
  };
}

test("ready: an older registry still serves, and an unknown budget is no reason to stay away", async () => {
  for (const registry of ["ok", "stale"] as const) {
    for (const budget of ["ok", "unknown"] as const) {
      const answer = await said(registry, { github: "ok", budget });
      assert.equal(answer.status, 200);
      assert.equal(answer.retryAfter, null);
      assert.deepEqual(JSON.parse(answer.text), {
        status: "ready",
        registry,
        github: "ok",
        budget,
        checkedAt,
      });
    }
  }
  assert.equal((await said("ok", { github: "ok", budget: "ok" }, "text/plain")).text, "ready\n");
});

test("not ready: 503, and which part it is", async () => {
  const cases: [RegistryStanding, HostStanding["github"], HostStanding["budget"], string][] = [
    ["unavailable", "ok", "ok", "registry unavailable"],
    ["ok", "unreachable", "unknown", "github unreachable"],
    ["ok", "unauthorized", "ok", "github unauthorized"],
    ["ok", "ok", "spent", "budget spent"],
    ["unavailable", "unreachable", "spent", "registry unavailable, github unreachable, budget spent"],
  ];
  for (const [registry, github, budget, words] of cases) {
    const answer = await said(registry, { github, budget }, "text/plain");
    assert.equal(answer.status, 503);
    assert.equal(answer.retryAfter, "5");
    assert.equal(answer.text, `not ready: ${words}\n`);
    assert.equal(JSON.parse((await said(registry, { github, budget })).text).status, "not_ready");
  }
});

test("on the whole stack: one request to the host however often it is asked, guarded, and no secret told", async () => {
  const repository = new GitRepository("ready");
  repository.write("a.txt", "a\n").commit("one");
  const stack = await startStack({
    host: {
      repositories: [{ owner: "o", name: "secret-name", path: repository.path, id: 1, private: true }],
      tokens: ["a-token"],
    },
    registry: [{ name: "secret-name", owner: "o", repo: "secret-name", id: 1 }],
    vars: { GITHUB_TOKEN: "a-token" },
  });
  try {
    const { result, requests } = await stack.counted(() =>
      Promise.all(Array.from({ length: 20 }, () => stack.get("/readyz"))),
    );
    assert.deepEqual(requests, ["GET /rate_limit"]);
    for (const { status, body } of result) {
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ["status", "registry", "github", "budget", "checkedAt"]);
      assert.doesNotMatch(JSON.stringify(body), /secret-name|a-token|[45]\d{3}/);
    }
    const foreign = await fetch(`${stack.worker.url}/readyz`, {
      headers: { origin: "https://evil.example" },
    });
    assert.equal(foreign.status, 403);
    assert.equal((await fetch(`${stack.worker.url}/readyz`, { method: "POST" })).status, 405);
  } finally {
    await stack.close();
    repository.remove();
  }
});
