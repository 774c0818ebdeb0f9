/** Public entries whose repository is private, in the Worker: by webhook under a new name, by GitHub's own word, and who may keep answers. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Catalog } from "../../src/schema/catalog.ts";
import { delivery } from "../github-webhooks/payloads.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

const SECRET = "a-secret-of-the-webhook";
const ADMIN = "admin-token-of-at-least-32-characters";
const asAdmin = { authorization: `Bearer ${ADMIN}` };

let repository: GitRepository;
let sha: string;

before(() => {
  repository = new GitRepository("app");
  sha = repository.write("a.txt", "one\n").commit("first");
});

after(() => repository.remove());

async function withStack(vars: Record<string, string>, work: (stack: Stack) => Promise<void>): Promise<void> {
  const hosted = (name: string, id: number, more: object = {}) => ({
    owner: "octo",
    name,
    path: repository.path,
    id,
    ...more,
  });
  const shown = (name: string, more: object = {}) => ({
    name,
    owner: "octo",
    repo: name,
    visibility: "public",
    ...more,
  });
  const stack = await startStack({
    host: {
      repositories: [hosted("open", 1), hosted("before", 2), hosted("hidden", 3, { private: true })],
      tokens: ["t"],
    },
    registry: [shown("open", { id: 1 }), shown("before"), shown("hidden")],
    vars: {
      ANONYMOUS_ACCESS: "public",
      ADMIN_TOKEN: ADMIN,
      GITHUB_TOKEN: "t",
      HEAD_MAX_AGE: "3600",
      ...vars,
    },
    durableObjects: { LIVE_REGISTRY: "RegistryObject", NEWS: "NewsObject" },
  });
  try {
    await work(stack);
  } finally {
    await stack.close();
  }
}

async function ask(stack: Stack, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${stack.worker.url}${path}`, { headers: { connection: "close", ...headers } });
  return { status: answer.status, kept: answer.headers.get("cache-control"), text: await answer.text() };
}

const pinned = (name: string) => `/v1/prove?repository=${name}&sourcePath=a.txt&sha=${sha}`;
const KEPT = "public, max-age=300";
const NOT_KEPT = "private, no-store";

const catalogOf = async (stack: Stack): Promise<[number, string[]]> => {
  const { text } = await ask(stack, "/v1/catalog");
  const { total, repositories } = JSON.parse(text) as Catalog;
  return [total, repositories.map((row) => row.repository)];
};

test("renamed unheard, then told private under its new name: gone for all but the operator, and kept by nobody", async () => {
  await withStack({ GITHUB_WEBHOOK_SECRET: SECRET }, async (stack) => {
    const privatized = (id: number, name: string) =>
      fetch(
        delivery(
          `${stack.worker.url}/webhooks/github`,
          "repository",
          { action: "privatized", repository: { id, full_name: `octo/${name}`, private: true } },
          { secret: SECRET },
        ),
      );
    const first = await ask(stack, pinned("before"));
    assert.deepEqual([first.status, first.kept], [200, KEPT]);
    stack.host.rename("octo/before", "octo/behind");
    assert.equal((await privatized(2, "behind")).status, 202);
    const later = await ask(stack, pinned("before"));
    assert.deepEqual([later.status, later.kept], [404, NOT_KEPT]);
    assert.deepEqual(await catalogOf(stack), [1, ["open"]]);
    const operator = await ask(stack, pinned("before"), asAdmin);
    assert.deepEqual([operator.status, operator.kept], [200, NOT_KEPT]);

    assert.equal((await ask(stack, pinned("open"), asAdmin)).kept, KEPT);
    await privatized(1, "open");
    const own = await ask(stack, pinned("open"), asAdmin);
    assert.deepEqual([own.status, own.kept], [200, NOT_KEPT]);
    assert.equal((await ask(stack, pinned("open"))).status, 404);
  });
});

test("private at GitHub, registered as public, no webhooks: unknown from the first answer on", async () => {
  await withStack({}, async (stack) => {
    const cold = await ask(stack, pinned("hidden"));
    assert.equal(cold.status, 404);
    const never = await ask(stack, pinned("never-was"));
    const error = ({ text }: { text: string }, name: string) =>
      (JSON.parse(text) as { detail: string }).detail.replace(name, "NAME");
    assert.equal(error(cold, "hidden"), error(never, "never-was"));
    assert.equal((await ask(stack, pinned("hidden"))).status, 404);
    assert.deepEqual(await catalogOf(stack), [2, ["open", "before"]]);
    const operator = await ask(stack, pinned("hidden"), asAdmin);
    assert.deepEqual([operator.status, operator.kept], [200, NOT_KEPT]);
  });
});

test("the catalog of an isolate that knows nothing yet leaves it out as well", async () => {
  await withStack({}, async (stack) => assert.deepEqual(await catalogOf(stack), [2, ["open", "before"]]));
});

test("where a token is needed, nobody else keeps an answer", async () => {
  await withStack({ ANONYMOUS_ACCESS: "none" }, async (stack) => {
    const { status, kept } = await ask(stack, pinned("open"), asAdmin);
    assert.deepEqual([status, kept], [200, NOT_KEPT]);
  });
});
