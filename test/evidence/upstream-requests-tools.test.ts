/** What sets, pages, inspections, comparisons, briefs and the catalog cost in requests to GitHub, cold and warm. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Catalog } from "../../src/schema/catalog.ts";
import { commitTree } from "../repositories/awkward.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

const ID = 4712;
let repository: GitRepository;
let base: string;
let head: string;

before(() => {
  repository = new GitRepository("costs");
  repository.write("README.md", "# R\n").write("package.json", "{}\n").write("sub/package.json", "{}\n");
  let tip = repository.write("a.txt", "0\n").commit("first");
  base = tip;
  for (let n = 1; n <= 14; n++) tip = commitTree(repository, tip, { [`${n}.txt`]: `${n}\n` }, `step ${n}`);
  head = tip;
  repository.git("update-ref", "refs/heads/main", head);
});

after(() => repository.remove());

async function withStack(work: (stack: Stack) => Promise<void>, maxAge = "3600"): Promise<void> {
  const stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "costs", path: repository.path, id: ID }] },
    registry: [{ name: "costs", owner: "octo", repo: "costs", id: ID }],
    vars: { HEAD_MAX_AGE: maxAge },
  });
  try {
    await work(stack);
  } finally {
    await stack.close();
  }
}

/** Ids differ from run to run; their place in the request does not. */
const shape = (requests: string[]) =>
  requests.map((request) =>
    request
      .replace(`/repositories/${ID}`, "")
      .replaceAll(/[0-9a-f]{40}/g, "SHA")
      .replace(/^GET /, ""),
  );

/** The repository's own address, of which nothing is left. */
const REPOSITORY = "";
const HEAD = "/commits/HEAD?per_page=1";
const TREE = "/git/trees/SHA?recursive=1";
const BLOB = "/git/blobs/SHA";
const LOG = "/commits?sha=SHA&per_page=100";
const COMMIT = "/git/commits/SHA";
const RELATION = "/compare/SHA...SHA?per_page=1&page=2";

/** First the call in a fresh service, then the same again: that one must cost nothing. */
const costs = (path: string, body: () => Record<string, unknown>, expected: () => string[]) => async () => {
  await withStack(async (stack) => {
    const cold = await stack.counted(() => stack.post(path, body()));
    assert.ok(cold.result.status < 400, JSON.stringify(cold.result.body));
    assert.deepEqual(shape(cold.requests).sort(), expected().sort());
    assert.equal(cold.result.headers.get("x-gitpin-upstream-requests"), String(cold.requests.length));
    const warm = await stack.counted(() => stack.post(path, body()));
    assert.deepEqual(warm.requests, []);
  });
};

const costsOf = { repository: "costs" };
const inspect = (operation: string) => () => ({ ...costsOf, operation });

test(
  "a set of eight costs what is different in it",
  costs(
    "/v1/prove-set",
    () => ({
      items: ["a.txt", "README.md", "a.txt", "1.txt", "2.txt", "1.txt", "2.txt", "a.txt"].map(
        (sourcePath) => ({
          ...costsOf,
          sourcePath,
        }),
      ),
    }),
    () => [HEAD, TREE, BLOB, BLOB, BLOB, BLOB],
  ),
);

test(
  "a page",
  costs(
    "/v1/get-doc",
    () => ({ ...costsOf, sourcePath: "README.md" }),
    () => [HEAD, TREE, BLOB],
  ),
);

test(
  "a brief: three, and each document",
  costs(
    "/v1/analyze",
    () => ({ operation: "brief" }),
    () => [HEAD, TREE, BLOB],
  ),
);

test(
  "coverage reads no document",
  costs(
    "/v1/analyze",
    () => ({ operation: "gaps" }),
    () => [HEAD, TREE],
  ),
);

test(
  "status: the repository itself beside its tip",
  costs("/v1/inspect", inspect("status"), () => [HEAD, TREE, REPOSITORY]),
);

test(
  "commits: one list",
  costs("/v1/inspect", inspect("commits"), () => [HEAD, TREE, LOG]),
);

test(
  "manifest: each manifest once (equal content has one id)",
  costs("/v1/inspect", inspect("manifest"), () => [HEAD, TREE, BLOB]),
);

test(
  "tests: as manifest",
  costs("/v1/inspect", inspect("tests"), () => [HEAD, TREE, BLOB]),
);

test(
  "changes: a tree for each of ten commits and the one before them, and no commit alone",
  costs("/v1/inspect", inspect("changes"), () => [HEAD, LOG, ...Array.from({ length: 11 }, () => TREE)]),
);

test(
  "compare: two trees, the older commit, how they stand to each other, one list; no list of files",
  costs(
    "/v1/compare",
    () => ({ ...costsOf, base, head }),
    // Its reachability is the comparison with the tip, which here is the very one asked for.
    () => [HEAD, COMMIT, RELATION, TREE, TREE, LOG],
  ),
);

test("the catalog of forty repositories: one request each to refresh, none within the bound, no tree ever", async () => {
  const names = Array.from({ length: 40 }, (_, n) => `r${n}`);
  const stackOf = (maxAge: string) =>
    startStack({
      host: {
        repositories: names.map((name, n) => ({ owner: "octo", name, path: repository.path, id: 9000 + n })),
      },
      registry: names.map((name, n) => ({ name, owner: "octo", repo: name, id: 9000 + n })),
      vars: { HEAD_MAX_AGE: maxAge },
    });
  const all = { limit: 100 };
  const within = await stackOf("3600");
  try {
    const cold = await within.counted(() => within.get<Catalog>("/v1/catalog", all));
    assert.equal(cold.result.body.repositories.length, 40);
    assert.deepEqual(
      [...cold.requests].sort(),
      names.map((_, n) => `GET /repositories/${9000 + n}/commits/HEAD?per_page=1`).sort(),
    );
    // The tree is not known, so neither is the count: no guess, no request.
    assert.ok(
      cold.result.body.repositories.every(({ docCount, headSha }) => docCount === null && headSha === head),
    );
    const warm = await within.counted(() => within.get<Catalog>("/v1/catalog", all));
    assert.deepEqual(warm.requests, []);
    await within.get("/v1/read", { repository: "r7" });
    const known = await within.counted(() => within.get<Catalog>("/v1/catalog", all));
    assert.deepEqual(known.requests, []);
    assert.equal(known.result.body.repositories[7]?.docCount, 16);
  } finally {
    await within.close();
  }
  const beyond = await stackOf("0");
  try {
    await beyond.get("/v1/catalog", all);
    const refreshed = await beyond.counted(() => beyond.get<Catalog>("/v1/catalog", all));
    assert.equal(refreshed.requests.length, 40);
    assert.equal(new Set(refreshed.requests).size, 40);
    assert.ok(beyond.host.requests.slice(-40).every(({ status }) => status === 304));
    for (const view of ["sync", "stale"]) {
      const { requests } = await beyond.counted(() => beyond.get("/v1/catalog", { ...all, view }));
      assert.equal(requests.length, 40, view);
    }
  } finally {
    await beyond.close();
  }
});
