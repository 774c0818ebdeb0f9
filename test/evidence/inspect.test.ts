/** `pin.inspect` and `pin.get_doc` against git itself: log, changes, manifest paths, status, pages. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { EvidenceDoc } from "../../src/schema/doc.ts";
import type { Inspection } from "../../src/schema/inspection.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

let repository: GitRepository;
let stack: Stack;

const PAGE = `---
title: not a heading
---
# Guide \`one\` #

Text
====

\`\`\`sh
# a comment in code
\`\`\`

## Second   ##
#hashtag
- item
---
Last
---
`;

const FILES: Record<string, string> = {
  "package.json":
    '{"name":"root","version":"1.2.3","scripts":{"test":"node --test","build":"x"},"workspaces":["packages/*"]}\n',
  "packages/a/package.json": '{"name":"@x/a"}\n',
  "packages/a/test/a.test.ts": "t\n",
  "service/pyproject.toml": '[project]\nname = "svc"\nversion = "0.1"\n',
  "service/tests/test_x.py": "def test_x(): pass\n",
  "engine/Cargo.toml": '[package]\nname = "engine"\nversion = "2.0.0"\n',
  "go/go.mod": "module example.com/go\n",
  "node_modules/dep/package.json": '{"name":"dep"}\n',
  "secrets/package.json": '{"name":"hidden-name"}\n',
  "jest.config.js": "module.exports = {}\n",
  "docs/guide.md": PAGE,
  "docs/old.adoc": "= Old\n\n----\n== in code\n----\n\n== Part\n",
  "docs/ref.rst": "=====\nTitle\n=====\n\nPart\n----\n\nText.\n",
  "notes.txt": "plain\n# no heading here\n",
};

before(async () => {
  repository = new GitRepository("inspected");
  for (const [path, content] of Object.entries(FILES)) repository.write(path, content);
  repository.commit("first\ncontinued on a second line\n\nbody");
  repository.git("mv", "docs/old.adoc", "docs/newer.adoc");
  repository.commit("moves a page");
  repository.git("checkout", "-q", "-b", "side");
  repository.write("side.txt", "s\n").commit("side work");
  repository.git("checkout", "-q", "main");
  repository.write("notes.txt", "plain, changed\n").commit("  odd   subject  ");
  repository.git("merge", "-q", "--no-ff", "-m", "merges side", "side");
  for (let n = 0; n < 25; n++) repository.write(`many/${n % 7}.txt`, `${n}\n`).commit(`change ${n}`);
  repository.git("branch", "release", "HEAD~3");
  repository.git("checkout", "-q", "release");
  repository.write("release.txt", "r\n").commit("on release only");
  repository.git("checkout", "-q", "main");
  const served = { owner: "octo", repo: "inspected", id: 6001 };
  stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "inspected", path: repository.path, id: 6001 }] },
    registry: [
      { name: "inspected", ...served, deny: ["secrets/**"] },
      { name: "released", ...served, ref: "release", refs: ["main"] },
      { name: "closed", ...served, ref: "release" },
      { name: "narrow", ...served, docs: { include: ["docs/**"], exclude: ["docs/ref.rst"] } },
    ],
  });
});

after(async () => {
  await stack.close();
  repository.remove();
});

const inspect = async (operation: string, more: Record<string, string | number> = {}) => {
  const query = { repository: "inspected", operation, ...more };
  const { status, body } = await stack.get<Inspection>("/v1/inspect", query);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

test("commits are those of git log, in its order, with its dates and subjects", async () => {
  const expected = repository
    .git("log", "--format=%H%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%s%x00%P")
    .split("\n")
    .map((line) => line.split("\0"));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 50 }), async (limit) => {
      const { commits } = await inspect("commits", { limit });
      const rows = commits?.items.map(({ sha, author, committer, subject, parents }) => [
        sha,
        author.name,
        author.email,
        String(Date.parse(author.date) / 1000),
        committer.name,
        committer.email,
        String(Date.parse(committer.date) / 1000),
        subject,
        parents.join(" "),
      ]);
      assert.deepEqual(rows, expected.slice(0, limit));
      assert.deepEqual([commits?.total, commits?.truncated], [expected.length, expected.length > limit]);
    }),
    { numRuns: 15 },
  );
});

test("changes are those of git log --name-status, each path once, of its newest commit", async () => {
  for (const [limit, examinedAtMost] of [
    [3, 10],
    [50, 10],
  ] as const) {
    const { changes } = await inspect("changes", { limit });
    assert.ok(changes !== null && changes.commitsExamined <= examinedAtMost);
    const seen = new Map<string, string>();
    const shas = repository
      .git("log", "--no-merges", "--format=%H")
      .split("\n")
      .slice(0, changes.commitsExamined);
    assert.equal(changes.oldestExamined, shas.at(-1));
    for (const sha of shas) {
      const rows = repository.git("show", "--name-status", "-M100%", "--format=", sha).split("\n");
      for (const row of rows.filter((line) => line !== "")) {
        const [letter = "", ...paths] = row.split("\t");
        const path = paths.at(-1) ?? "";
        if (!seen.has(path)) seen.set(path, `${letter.slice(0, 1)} ${path} ${sha}`);
      }
    }
    assert.deepEqual(
      changes.items.map(({ status, sourcePath, sha }) => `${status} ${sourcePath} ${sha}`),
      [...seen.values()].slice(0, limit),
    );
    assert.equal(changes.truncated, seen.size > limit);
  }
});

test("renames and merges in changes: a short history, to its root", async () => {
  const short = repository.git("rev-parse", "HEAD~25");
  repository.git("update-ref", "refs/heads/keep", "HEAD");
  const tip = repository.git("rev-parse", "HEAD");
  repository.git("update-ref", "refs/heads/main", short);
  try {
    const { changes } = await inspect("changes", { limit: 50 });
    assert.equal(changes?.commitsExamined, 4);
    const renamed = changes?.items.find(({ status }) => status === "R");
    assert.deepEqual([renamed?.sourcePath, renamed?.previousPath], ["docs/newer.adoc", "docs/old.adoc"]);
    const hidden = changes?.items.find(({ sourcePath }) => sourcePath === "secrets/package.json");
    assert.deepEqual([hidden?.status, hidden?.blocked], ["A", true]);
    assert.equal(changes?.total, Object.keys(FILES).length + 2);
  } finally {
    repository.git("update-ref", "refs/heads/main", tip);
  }
});

test("manifests: the paths git ls-files has, with names, versions and scripts; a denied one is not read", async () => {
  const { manifest } = await inspect("manifest");
  const known = /(?:^|\/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod)$/;
  const expected = repository
    .git("ls-files")
    .split("\n")
    .filter((path) => known.test(path) && !path.startsWith("node_modules/"));
  assert.deepEqual(manifest?.items.map(({ path }) => path).sort(), expected.sort());
  assert.deepEqual(manifest?.excluded, [{ folder: "node_modules", files: 1 }]);
  const of = (path: string) => manifest?.items.find((item) => item.path === path);
  assert.deepEqual(
    ["package.json", "service/pyproject.toml", "engine/Cargo.toml", "go/go.mod"].map((path) => [
      of(path)?.name,
      of(path)?.version,
    ]),
    [
      ["root", "1.2.3"],
      ["svc", "0.1"],
      ["engine", "2.0.0"],
      ["example.com/go", null],
    ],
  );
  assert.deepEqual(
    of("package.json")?.scripts.map(({ name }) => name),
    ["test", "build"],
  );
  assert.equal(of("secrets/package.json")?.name, null);
  assert.match(of("secrets/package.json")?.reason ?? "", /^blocked: /);
  const cut = await inspect("manifest", { limit: 1 });
  assert.deepEqual(
    [cut.manifest?.items.map(({ path }) => path), cut.manifest?.total, cut.manifest?.truncated],
    [["package.json"], expected.length, true],
  );
});

test("tests: folders, files, configurations, and scripts of manifests", async () => {
  const { tests } = await inspect("tests");
  assert.deepEqual(
    tests?.folders.items.map(({ path }) => path),
    ["packages/a/test", "service/tests"],
  );
  assert.deepEqual(
    tests?.files.items.map(({ path }) => path),
    ["packages/a/test/a.test.ts", "service/tests/test_x.py"],
  );
  assert.deepEqual(tests?.configurations.items, [{ path: "jest.config.js", runner: "jest" }]);
  assert.deepEqual(
    tests?.scripts.items.map(({ manifest, name }) => [manifest, name]),
    [["package.json", "test"]],
  );
  const cut = await inspect("tests", { limit: 1 });
  assert.equal(cut.tests?.manifestsUnread.total, 5);
  assert.equal(cut.tests?.files.truncated, true);
});

test("status: the branch, and ahead and behind of a default branch that callers may see", async () => {
  const main = (await inspect("status")).status;
  assert.deepEqual([main?.ref, main?.against, main?.ahead], ["refs/heads/main", null, null]);
  assert.equal(main?.latestCommit.sha, repository.git("rev-parse", "main"));
  assert.match(main?.workingTree ?? "", /no working tree/);
  const released = (await inspect("status", { repository: "released" })).status;
  assert.deepEqual(
    [released?.ref, released?.against, released?.ahead, released?.behind],
    ["refs/heads/release", "refs/heads/main", 1, 3],
  );
  const closed = (await inspect("status", { repository: "closed" })).status;
  assert.deepEqual([closed?.against, closed?.ahead, closed?.behind], [null, null, null]);
});

test("pages: content as git has it, headings of three markups with their lines", async () => {
  const doc = async (sourcePath: string, more: Record<string, string | number> = {}) =>
    await stack.get<EvidenceDoc>("/v1/get-doc", { repository: "inspected", sourcePath, ...more });
  const guide = await doc("docs/guide.md");
  assert.equal(guide.status, 200);
  assert.equal(guide.body.content, PAGE);
  assert.equal(guide.body.title, "Guide `one`");
  const rows = (body: EvidenceDoc) => body.headings?.map(({ level, text, line }) => [level, text, line]);
  assert.deepEqual(rows(guide.body), [
    [1, "Guide `one`", 4],
    [1, "Text", 6],
    [2, "Second", 13],
    [2, "Last", 17],
  ]);
  assert.deepEqual(rows((await doc("docs/newer.adoc")).body), [
    [1, "Old", 1],
    [2, "Part", 7],
  ]);
  assert.deepEqual(rows((await doc("docs/ref.rst")).body), [
    [1, "Title", 2],
    [2, "Part", 5],
  ]);
  assert.deepEqual(rows((await doc("notes.txt")).body), []);
  const first = await doc("docs/guide.md", { limit: 3, lineStart: 4 });
  assert.deepEqual([first.body.content, first.body.truncated], ["# Guide `one` #\n", true]);
  const second = await doc("docs/guide.md", { cursor: first.body.nextCursor ?? "" });
  assert.deepEqual(rows(second.body), [[2, "Last", 17]]);
  assert.equal((await doc("docs/guide.md", { maxBytes: 10 })).body.next?.tool, "pin.get_doc");
});

test("what is no documentation is no page; what the registry or policy hides neither", async () => {
  const doc = async (repositoryName: string, sourcePath: string) => {
    const query = { repository: repositoryName, sourcePath };
    const { status, body } = await stack.get<EvidenceDoc>("/v1/get-doc", query);
    return [status, body.status, body.content];
  };
  assert.deepEqual(await doc("inspected", "package.json"), [404, "missing", null]);
  assert.deepEqual(await doc("narrow", "notes.txt"), [404, "missing", null]);
  assert.deepEqual(await doc("narrow", "docs/ref.rst"), [404, "missing", null]);
  assert.deepEqual(await doc("inspected", "secrets/readme.md"), [403, "blocked", null]);
});
