/** `npm start` as a service behind a proxy: it answers for its public host, logs each request, keeps its registry, and ends whole. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, type TestContext, test } from "node:test";
import { startLocalHost } from "../../src/local/host.ts";
import { GitRepository } from "../repositories/git.ts";
import { checkout, npmRun, temporaryFolder } from "./npm-run.ts";

const LIMIT = { timeout: 120_000 };
const ADMIN = "operator-token-of-32-characters-or-more";
const repository = new GitRepository("served");
let head = "";
let host: Awaited<ReturnType<typeof startLocalHost>>;
let state: ReturnType<typeof temporaryFolder>;
before(async () => {
  head = repository.write("README.md", "# Served\n").commit("first");
  host = await startLocalHost({ repositories: [{ owner: "octo", name: "served", path: repository.path }] });
  state = temporaryFolder();
});
after(async () => {
  await host.close();
  repository.remove();
  state.remove();
});

const serve = (t: TestContext, environment: Record<string, string> = {}) =>
  npmRun(t, ["start", "--", "--port", "0", "--state", state.path], {
    cwd: checkout,
    environment: {
      PUBLIC_URL: "https://gitpin.acme.dev",
      GITHUB_API_URL: host.url,
      GITHUB_WEB_URL: "https://github.com",
      ...environment,
    },
  });

/** As a proxy asks: to the loopback address, with the Host that the caller named. */
function ask(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const outgoing = request(`${url}${path}`, { headers: { host: "gitpin.acme.dev", ...headers } });
  outgoing.on("error", reject);
  outgoing.on("response", (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (piece: string) => {
      text += piece;
    });
    response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
  });
  outgoing.end();
  return promise;
}

const started = async (run: ReturnType<typeof serve>): Promise<string> => {
  const text = await run.printed(/listens at http:\S+ for https:\/\/gitpin\.acme\.dev\./);
  return /listens at (\S+) for/.exec(text)?.[1] ?? "";
};

test("behind a proxy", LIMIT, async (t) => {
  const registry = {
    version: 1,
    repositories: [{ name: "served", owner: "octo", repo: "served", visibility: "public" }],
  };
  const run = serve(t, { REGISTRY: JSON.stringify(registry) });
  const url = await started(run);
  const query = "repository=served&sourcePath=README.md&lineStart=1";
  const proved = await ask(url, `/v1/prove?${query}`);
  assert.equal(proved.status, 200, proved.text);
  const pack = JSON.parse(proved.text);
  assert.equal(pack.commitSha, head);
  assert.match(pack.citation.verify.curl, /^curl \S* ?'?https:\/\/gitpin\.acme\.dev\//);
  assert.equal((await ask(url, "/v1/catalog", { host: "evil.example" })).status, 421);
  assert.equal((await ask(url, "/healthz", { host: new URL(url).host })).status, 200);
  assert.deepEqual(JSON.parse((await ask(url, "/readyz")).text).status, "ready");

  const text = await run.printed(/"route":"\/readyz"/);
  const lines = text.split("\n").filter((line) => line.startsWith('{"event":"request"'));
  assert.ok(lines.some((line) => JSON.parse(line).repository === "served"));
  assert.doesNotMatch(lines.join("\n"), /README/);
  run.interrupt();
  assert.equal((await run.ended).code, 0);
  assert.deepEqual(run.left(), []);
});

test("with an operator's token the registry is live, and outlives a restart", LIMIT, async (t) => {
  const operator = { authorization: `Bearer ${ADMIN}` };
  const entry = { name: "kept", owner: "octo", repo: "served" };
  const first = serve(t, {
    ADMIN_TOKEN: ADMIN,
    REGISTRY: JSON.stringify({ version: 1, repositories: [entry] }),
  });
  const one = await ask(await started(first), "/v1/catalog", operator);
  assert.equal(JSON.parse(one.text).repositories[0].repository, "kept", one.text);
  first.interrupt();
  await first.ended;

  const second = serve(t, { ADMIN_TOKEN: ADMIN, REGISTRY: '{"version":1,"repositories":[]}' });
  const url = await started(second);
  assert.equal(JSON.parse((await ask(url, "/v1/catalog", operator)).text).repositories[0].repository, "kept");
  assert.deepEqual(JSON.parse((await ask(url, "/v1/catalog")).text).repositories, []);
  assert.doesNotMatch(second.text(), new RegExp(ADMIN));
  second.interrupt();
  await second.ended;
  assert.deepEqual(second.left(), []);
});

test("a registry that does not hold is said, and is exit 1", LIMIT, async (t) => {
  const run = serve(t, { REGISTRY: '{"version":1,"repositories":[{"name":"a"}]}' });
  assert.equal((await run.ended).code, 1);
  assert.match(run.text(), /REGISTRY is not a valid registry: repositories\.0\.owner/);
  assert.deepEqual(run.left(), []);
});
