import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Peculiar, peculiarRepository } from "../testing/peculiar.ts";
import { changedFiles, EMPTY_TREE, patches } from "./diff.ts";
import { createView, type View } from "./environment.ts";
import { GitRepository } from "./repository.ts";

let odd: Peculiar;
let view: View;
let git: GitRepository;

before(async () => {
  odd = peculiarRepository();
  view = await createView();
  git = await GitRepository.open(odd.repository.path, view);
});

after(async () => {
  git.close();
  await view.remove();
  odd.remove();
});

async function diff(from: string, to: string) {
  const changes = await changedFiles(git, from, to);
  const texts = await patches(git, from, to, changes);
  return changes.map(({ sha: _, ...change }, index) => ({ ...change, patch: texts[index] }));
}

test("rename, binary file, mode: each with its own patch or none", async () => {
  assert.deepEqual(await diff(odd.root, odd.renamed), [
    { status: "modified", path: "binary.dat", previousPath: null, additions: 0, deletions: 0, patch: null },
    {
      status: "renamed",
      path: "dir/renamed.txt",
      previousPath: "moved.txt",
      additions: 1,
      deletions: 0,
      patch: "@@ -38,3 +38,4 @@ line 36\n line 37\n line 38\n line 39\n+line 40",
    },
    { status: "modified", path: "script.sh", previousPath: null, additions: 0, deletions: 0, patch: null },
  ]);
});

test("a changed type, next to others, does not shift their patches", async () => {
  const changes = await diff(odd.renamed, odd.merge);
  assert.deepEqual(
    changes.map(({ status, path, patch }) => [status, path, patch]),
    [
      ["added", "feature.txt", "@@ -0,0 +1 @@\n+feature"],
      [
        "changed",
        "kept.txt",
        "@@ -1 +0,0 @@\n-kept\n@@ -0,0 +1 @@\n+dir/inner.txt\n\\ No newline at end of file",
      ],
      ["added", "main.txt", "@@ -0,0 +1 @@\n+main"],
    ],
  );
});

test("a removed file carries its old blob", async () => {
  const blob = odd.repository.git("rev-parse", `${odd.merge}:main.txt`);
  const changes = await changedFiles(git, odd.merge, odd.typeChanged);
  assert.deepEqual(
    changes.map(({ path, status, sha }) => [path, status, sha === blob]),
    [
      ["feature.txt", "removed", false],
      ["main.txt", "removed", true],
    ],
  );
});

test("against nothing, every file is added, and counts agree with git", async () => {
  const changes = await changedFiles(git, EMPTY_TREE, odd.head);
  const counted = odd.repository.git("diff-tree", "-r", "--numstat", "--no-ext-diff", EMPTY_TREE, odd.head);
  const expected = counted.split("\n").map((line) =>
    line
      .split("\t")
      .slice(0, 2)
      .map((n) => Number(n) || 0),
  );
  assert.deepEqual(
    changes.map(({ additions, deletions }) => [additions, deletions]),
    expected,
  );
  assert.ok(changes.every(({ status }) => status === "added"));
  assert.ok(changes.some(({ path }) => path === "bad-\ufffd-name.txt"));
});
