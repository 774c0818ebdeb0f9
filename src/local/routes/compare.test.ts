import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Peculiar, peculiarRepository } from "../testing/peculiar.ts";
import { errorOf, type Served, serve } from "../testing/served.ts";

interface Comparison {
  status: string;
  ahead_by: number;
  behind_by: number;
  total_commits: number;
  base_commit: { sha: string };
  merge_base_commit: { sha: string };
  commits: { sha: string }[];
  files: { filename: string; status: string }[];
}

let odd: Peculiar;
let served: Served;

before(async () => {
  odd = peculiarRepository();
  served = await serve(odd.repository.path);
});

after(async () => {
  await served.host.close();
  odd.remove();
});

const between = (range: string): string[] =>
  odd.repository.git("rev-list", "--reverse", "--topo-order", range).split("\n").filter(Boolean);

test("ahead, behind, diverged, identical", async () => {
  const sibling = odd.repository.git("rev-parse", `${odd.merge}^1`);
  const cases: [string, string, string, number, number, string][] = [
    [odd.root, "main", "ahead", between(`${odd.root}..main`).length, 0, odd.root],
    ["main", odd.root, "behind", 0, between(`${odd.root}..main`).length, odd.root],
    [sibling, "feature/one", "diverged", 1, 1, odd.typeChanged],
    ["main", "HEAD", "identical", 0, 0, odd.head],
    ["main", "octo:feature%2Fone", "behind", 0, between("feature/one..main").length, odd.feature],
  ];
  for (const [base, head, status, ahead, behind, fork] of cases) {
    const found = await served.json<Comparison>(`/compare/${base}...${head}`);
    assert.deepEqual(
      [found.status, found.ahead_by, found.behind_by, found.total_commits, found.merge_base_commit.sha],
      [status, ahead, behind, ahead, fork],
    );
    assert.equal(found.commits.length, ahead);
  }
});

test("commits oldest first, files against the merge base", async () => {
  const found = await served.json<Comparison>(`/compare/${odd.root}...main`);
  assert.deepEqual(
    found.commits.map(({ sha }) => sha),
    between(`${odd.root}..main`),
  );
  assert.equal(found.commits.at(-1)?.sha, odd.head);
  const sibling = odd.repository.git("rev-parse", `${odd.merge}^1`);
  const diverged = await served.json<Comparison>(`/compare/${sibling}...feature/one`);
  assert.deepEqual(
    diverged.files.map(({ filename, status }) => [filename, status]),
    [["feature.txt", "added"]],
  );
});

test("without paging the newest commits, with it pages from the oldest; files on page 1 only, cut without a sign", async () => {
  const small = await serve(odd.repository.path, { limits: { compareCommits: 3, files: 2 } });
  try {
    const all = between(`${odd.root}..main`);
    const unpaged = await small.json<Comparison>(`/compare/${odd.root}...main`);
    assert.deepEqual(
      unpaged.commits.map(({ sha }) => sha),
      all.slice(-3),
    );
    assert.deepEqual([unpaged.total_commits, unpaged.files.length], [all.length, 2]);
    const first = await small.get(`/compare/${odd.root}...main?per_page=2`);
    assert.match(String(first.headers.link), /rel="next"/);
    const page = await small.json<Comparison>(`/compare/${odd.root}...main?per_page=2&page=2`);
    assert.deepEqual(
      page.commits.map(({ sha }) => sha),
      all.slice(2, 4),
    );
    assert.deepEqual([page.files, page.total_commits], [[], all.length]);
  } finally {
    await small.host.close();
  }
});

test("unrelated histories and unknown sides are 404", async () => {
  assert.deepEqual(errorOf(await served.get("/compare/main...unrelated")), [
    404,
    "No common ancestor between main and unrelated.",
  ]);
  for (const range of [
    "main...nope",
    "nope...main",
    "main",
    "main..main",
    "a...b...c",
    "other:main...main",
  ]) {
    assert.deepEqual(errorOf(await served.get(`/compare/${range}`)), [404, "Not Found"], range);
  }
});

test("as a diff", async () => {
  const diff = await served.get(`/compare/${odd.root}...${odd.renamed}`, {
    accept: "application/vnd.github.diff",
  });
  const expected = odd.repository.bytes(
    "diff-tree",
    "-r",
    "-M",
    "-p",
    "--no-ext-diff",
    odd.root,
    odd.renamed,
  );
  assert.equal(diff.body.toString(), expected.toString());
});
