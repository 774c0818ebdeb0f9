/** `pin.compare` against git itself: generated histories, unrelated ones, long spans, pages, policy, this project's own. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { Comparison } from "../../src/schema/comparison.ts";
import type { CommitRow } from "../../src/schema/inspection.ts";
import { commitTree } from "../repositories/awkward.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

let repository: GitRepository;
let stack: Stack;
const commits: string[] = [];
/** An orphan: shares nothing with the others. */
let orphan: string;
let straight: { base: string; head: string };
let secretly: { base: string; head: string };

const PATHS = [
  "a.txt",
  "b.txt",
  "dir/a.txt",
  "dir/b c.txt",
  "dir.txt",
  "\u00fc.txt",
  "\u{1f600}.txt",
  "\ufb01.txt",
];
const CONTENTS = ["one\n", "two\n", "three\n", ""];

/** A tree from a choice per path: absent, or one of the contents, as file, executable or symlink. */
function treeOf(choices: readonly { content: number; mode: string }[]): string {
  repository.git("read-tree", "--empty");
  for (const [index, { content, mode }] of choices.entries()) {
    const text = CONTENTS[content];
    if (text === undefined) continue;
    const blob = repository.feed(text, "hash-object", "-w", "--stdin");
    repository.git("update-index", "--add", "--cacheinfo", `${mode},${blob},${PATHS[index]}`);
  }
  return repository.git("write-tree");
}

const choice = fc.record({
  content: fc.integer({ min: 0, max: 5 }),
  mode: fc.constantFrom("100644", "100644", "100644", "100755", "120000"),
});
const shape = fc.record({
  tree: fc.array(choice, { minLength: PATHS.length, maxLength: PATHS.length }),
  parents: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
});

before(async () => {
  repository = new GitRepository("histories");
  const [shapes = []] = fc.sample(fc.array(shape, { minLength: 14, maxLength: 14 }), {
    numRuns: 1,
    seed: 20260101,
  });
  for (const [index, { tree, parents }] of shapes.entries()) {
    const of = index === 0 ? [] : [...new Set(parents.map((n) => commits[n % index] ?? ""))];
    const args = of.flatMap((sha) => ["-p", sha]);
    commits.push(repository.git("commit-tree", treeOf(tree), ...args, "-m", `subject ${index}\n\nbody`));
  }
  orphan = repository.git("commit-tree", treeOf([{ content: 1, mode: "100644" }]), "-m", "orphan");
  const root = commits[0] ?? "";
  let tip = root;
  const tree = repository.git("rev-parse", `${root}^{tree}`);
  for (let n = 1; n <= 260; n++) tip = repository.git("commit-tree", tree, "-p", tip, "-m", `step ${n}`);
  straight = { base: root, head: tip };
  const withSecret = commitTree(repository, root, { ".env": "S=1\n", "plain.txt": "p\n" }, "a secret");
  const moved = commitTree(repository, withSecret, { ".env": null, "env-copy.txt": "S=1\n" }, "laid open");
  secretly = { base: withSecret, head: moved };
  // Everything is reachable, so that reachability is not what is tested here.
  for (const [index, sha] of [...commits, orphan, tip, withSecret, moved].entries()) {
    repository.git("update-ref", `refs/heads/b${index}`, sha);
  }
  repository.git("update-ref", "refs/heads/main", commits.at(-1) ?? "");
  stack = await startStack({
    host: {
      repositories: [
        { owner: "octo", name: "histories", path: repository.path, id: 5001 },
        { owner: "octo", name: "self", path: process.cwd(), id: 5002 },
      ],
    },
    registry: [
      { name: "histories", owner: "octo", repo: "histories", id: 5001, allowUnreachable: true },
      { name: "self", owner: "octo", repo: "self", id: 5002, allowUnreachable: true },
    ],
    vars: { HEAD_MAX_AGE: "3600" },
  });
});

after(async () => {
  await stack.close();
  repository.remove();
});

const EMPTY: readonly string[] = [];
const lines = (text: string) => (text === "" ? EMPTY : text.split("\n"));

interface GitSays {
  changes: string[];
  between: string[];
  ahead: number;
  behind: number;
  mergeBases: string[];
}

function gitSays(git: (...args: string[]) => string, base: string, head: string, renames: boolean): GitSays {
  const fields = git("diff", "--name-status", "-z", renames ? "-M100%" : "--no-renames", "-l0", base, head)
    .split("\0")
    .filter((field) => field !== "");
  const changes: string[] = [];
  for (let at = 0; at < fields.length; ) {
    const letter = (fields[at++] ?? "").slice(0, 1);
    const paths = letter === "R" ? [fields[at++], fields[at++]] : [fields[at++]];
    changes.push([letter, ...paths].join("\t"));
  }
  let mergeBases: readonly string[] = EMPTY;
  try {
    mergeBases = lines(git("merge-base", "--all", base, head));
  } catch {
    mergeBases = EMPTY;
  }
  return {
    changes,
    between: [...lines(git("rev-list", `${base}..${head}`))],
    ahead: Number(git("rev-list", "--count", `${base}..${head}`)),
    behind: Number(git("rev-list", "--count", `${head}..${base}`)),
    mergeBases: [...mergeBases],
  };
}

/** All pages of one comparison. */
async function wholeComparison(
  name: string,
  base: string,
  head: string,
  more: Record<string, string | number> = {},
) {
  const changes: string[] = [];
  const between: CommitRow[] = [];
  let pages = 0;
  let last: Comparison;
  let cursor: string | null = null;
  do {
    const query: Record<string, string | number> = { repository: name, base, head, ...more };
    if (cursor !== null) query.cursor = cursor;
    const { status, body }: { status: number; body: Comparison } = await stack.get("/v1/compare", query);
    assert.equal(status, 200, JSON.stringify(body));
    for (const { status: letter, previousPath, sourcePath } of body.changes) {
      changes.push([letter, ...(previousPath === null ? [] : [previousPath]), sourcePath].join("\t"));
    }
    between.push(...(body.commits?.items ?? []));
    assert.equal(body.truncated, body.nextCursor !== null);
    cursor = body.nextCursor;
    last = body;
    pages++;
  } while (cursor !== null);
  return { changes, between, last, pages };
}

const inGit = (...args: string[]) => repository.git(...args);

test("generated histories: letters, order, renames, counts, merge base and commits between", async () => {
  const pairs = fc.record({
    base: fc.constantFrom(...commits),
    head: fc.constantFrom(...commits),
    renames: fc.boolean(),
    limit: fc.integer({ min: 1, max: 12 }),
  });
  let related = 0;
  await fc.assert(
    fc.asyncProperty(pairs, async ({ base, head, renames, limit }) => {
      const expected = gitSays(inGit, base, head, renames);
      const more = { renames: String(renames), limit };
      const { changes, between, last } = await wholeComparison("histories", base, head, more);
      assert.deepEqual(changes, expected.changes);
      assert.equal(last.totalChanges, expected.changes.length);
      assert.deepEqual([last.ahead, last.behind], [expected.ahead, expected.behind]);
      assert.ok(last.mergeBase !== null && expected.mergeBases.includes(last.mergeBase));
      assert.deepEqual(between.map(({ sha }) => sha).sort(), expected.between.sort());
      assert.equal(last.commits?.total, expected.ahead);
      related++;
    }),
    { numRuns: 60 },
  );
  assert.ok(related >= 60);
});

test("commits carry names, dates as instants, subject and parents as git has them", async () => {
  const { base } = straight;
  const head = repository.git(
    "commit-tree",
    repository.git("rev-parse", `${base}^{tree}`),
    ...commits.flatMap((sha) => ["-p", sha]),
    "-m",
    "joins all",
  );
  repository.git("update-ref", "refs/heads/joined", head);
  const { between } = await wholeComparison("histories", base, head);
  assert.equal(between.length, commits.length);
  for (const commit of between) {
    const [an, ae, ad, cn, ce, cd, subject, parents] = repository
      .git("show", "-s", "--format=%an%n%ae%n%at%n%cn%n%ce%n%ct%n%s%n%P", commit.sha)
      .split("\n");
    assert.deepEqual(
      [commit.author.name, commit.author.email, Date.parse(commit.author.date) / 1000],
      [an, ae, Number(ad)],
    );
    assert.deepEqual(
      [commit.committer.name, commit.committer.email, Date.parse(commit.committer.date) / 1000],
      [cn, ce, Number(cd)],
    );
    assert.deepEqual([commit.subject, commit.parents.join(" ")], [subject, parents]);
  }
});

test("unrelated histories: trees are compared, no merge base, head's own commits", async () => {
  const [root = ""] = commits;
  for (const [base, head] of [
    [root, orphan],
    [orphan, root],
  ] as const) {
    const expected = gitSays(inGit, base, head, true);
    const { changes, between, last } = await wholeComparison("histories", base, head);
    assert.deepEqual(changes, expected.changes);
    assert.deepEqual([last.unrelated, last.mergeBase, last.ahead], [true, null, null]);
    assert.deepEqual(
      between.map(({ sha }) => sha),
      expected.between,
    );
    assert.equal(last.commits?.total, expected.ahead);
    assert.match(last.notes.join(), /share no history/);
  }
});

test("more than 250 commits between, in pages; the page that carries GitHub's file list is the last that is asked for", async () => {
  const { base, head } = straight;
  const { result, requests } = await stack.counted(() => wholeComparison("histories", base, head));
  assert.deepEqual(
    result.between.map(({ sha }) => sha),
    gitSays(inGit, base, head, true).between,
  );
  assert.deepEqual([result.last.ahead, result.last.behind, result.last.mergeBase], [260, 0, base]);
  assert.equal(result.pages, 6);
  const compares = requests.filter((request) => request.includes(`/compare/${base}...${head}?`));
  assert.deepEqual(
    compares.map((request) => request.replace(/^.*\?/, "")),
    ["per_page=1&page=2", "per_page=100&page=3", "per_page=100&page=2", "per_page=100&page=1"],
  );
  // The other way round there is nothing between.
  const back = await wholeComparison("histories", head, base);
  assert.deepEqual([back.last.ahead, back.last.behind, back.between], [0, 260, []]);
});

test("a cursor stays good when the branch moves on, and belongs to its comparison", async () => {
  const { base, head } = straight;
  const query = { repository: "histories", base: base.slice(0, 12), head: head.slice(0, 12) };
  const first = await stack.get<Comparison>("/v1/compare", query);
  const cursor = first.body.nextCursor ?? "";
  const next = commitTree(repository, head, { "new.txt": "n\n" }, "moves on");
  repository.git("update-ref", "refs/heads/main", next);
  const again = await stack.get<Comparison>("/v1/compare", { ...query, cursor });
  assert.equal(again.status, 200);
  assert.equal(again.body.head, head);
  const other = await stack.get<{ error: { code: string; data: { field: string } } }>("/v1/compare", {
    ...query,
    base: commits[3] ?? "",
    cursor,
  });
  assert.deepEqual(
    [other.status, other.body.error.code, other.body.error.data.field],
    [400, "invalid_argument", "cursor"],
  );
});

test("a denied path is named and marked, with neither id nor a rename that would tell its content", async () => {
  const { base, head } = secretly;
  const { body } = await stack.get<Comparison>("/v1/compare", { repository: "histories", base, head });
  const secret = repository.git("rev-parse", `${base}:.env`);
  assert.deepEqual(
    body.changes.map(({ status, sourcePath, previousPath, blocked, base: then }) => [
      status,
      sourcePath,
      previousPath,
      blocked,
      then,
    ]),
    [
      ["D", ".env", null, true, null],
      ["A", "env-copy.txt", null, false, null],
    ],
  );
  // The copy is a file like any other: what stands in it may be seen there, and only there.
  assert.equal(body.changes[1]?.head?.id, secret);
  const back = await stack.get<Comparison>("/v1/compare", {
    repository: "histories",
    base: commits[0] ?? "",
    head: base,
  });
  assert.equal(JSON.stringify(back.body).includes(secret), false);
});

test("commits that are not there, or not to be shown", async () => {
  const [base = ""] = commits;
  const gone = await stack.get<Comparison>("/v1/compare", {
    repository: "histories",
    base,
    head: "0".repeat(40),
  });
  assert.deepEqual([gone.status, gone.body.status, gone.body.changes], [404, "missing", []]);
});

test("this project's own history", async (context) => {
  if (!existsSync(".git")) return context.skip("this copy of the project is not a clone");
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 27 }).replace(/\n$/, "");
  const all = lines(git("rev-list", "--first-parent", "HEAD"));
  const head = all[0] ?? "";
  for (const step of [1, 5, all.length - 1]) {
    const base = all[Math.min(step, all.length - 1)] ?? head;
    const expected = gitSays(git, base, head, true);
    const { changes, between, last } = await wholeComparison("self", base, head);
    assert.deepEqual(changes, expected.changes);
    assert.deepEqual([last.ahead, last.behind], [expected.ahead, expected.behind]);
    assert.deepEqual(between.map(({ sha }) => sha).sort(), expected.between.sort());
  }
});
