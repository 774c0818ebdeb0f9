/** Log, relation and commits between at the adapter: exact, kept, and never a guess when GitHub answers oddly. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";
import { type Hosted, hosted } from "../../test/repositories/hosted.ts";
import { GitpinError } from "../errors.ts";

let repository: GitRepository;
let at: Hosted;
let base: string;
let head: string;
let orphan: string;
/** Two lines that merged one another: two best common ancestors, of which GitHub names one. */
let crossed: { base: string; head: string };

before(async () => {
  repository = new GitRepository("history");
  base = repository.write("a.txt", "a\n").commit("base");
  const tree = repository.git("rev-parse", `${base}^{tree}`);
  const on = (message: string, ...parents: string[]) =>
    repository.git("commit-tree", tree, ...parents.flatMap((sha) => ["-p", sha]), "-m", message);
  orphan = on("orphan");
  head = base;
  for (let n = 1; n <= 130; n++) head = on(`step ${n}`, head);
  const [left, right] = [on("left", base), on("right", base)];
  crossed = { base: on("one", left, right), head: on("other", right, left) };
  repository.git("update-ref", "refs/heads/main", head);
  for (const [name, sha] of Object.entries({ orphan, one: crossed.base, other: crossed.head })) {
    repository.git("update-ref", `refs/heads/${name}`, sha);
  }
  at = await hosted(repository.path);
});

afterEach(() => {
  at.host.faults.clear();
  at.store.values.clear();
  at.forget();
});

after(async () => {
  await at.host.close();
  repository.remove();
});

const reader = () => at.call(at.isolate()).reader;
const revList = (...args: string[]) => repository.git("rev-list", ...args).split("\n");
const codeOf = async (work: Promise<unknown>) => {
  const outcome = await work.then(
    (value) => value,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof GitpinError, JSON.stringify(outcome));
  return outcome.code;
};

test("every slice of what lies between equals git rev-list, in one request each at most", async () => {
  const expected = revList(`${base}..${head}`);
  const one = reader();
  for (const [offset, count] of [
    [0, 50],
    [50, 50],
    [100, 50],
    [129, 1],
    [130, 10],
    [0, 130],
    [28, 5],
  ] as const) {
    const found = await one.commitsBetween(base, head, offset, count);
    assert.deepEqual(
      found.map(({ sha }) => sha),
      expected.slice(offset, offset + count),
    );
  }
  assert.deepEqual(await one.relation(base, head), { ahead: 130, behind: 0, mergeBase: base });
  assert.equal(at.paths().length, 3, at.paths().join("\n"));
});

test("what was asked for once is in the store for ever; damage is noticed and asked for again", async () => {
  const first = await reader().commitsBetween(base, head, 0, 40);
  at.forget();
  assert.deepEqual(await reader().commitsBetween(base, head, 0, 40), first);
  assert.deepEqual(at.paths(), []);
  for (const [key, bytes] of [...at.store.values]) {
    at.store.values.set(key, bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1));
    at.store.dropped.length = 0;
    assert.deepEqual(await reader().commitsBetween(base, head, 0, 40), first);
    assert.deepEqual(at.store.dropped, [key]);
    assert.deepEqual(at.store.values.get(key), bytes);
  }
});

test("lines that merged one another: the log alone cannot tell, the comparison can", async () => {
  const found = await reader().commitsBetween(crossed.base, crossed.head, 0, 50);
  assert.deepEqual(
    found.map(({ sha }) => sha),
    revList(`${crossed.base}..${crossed.head}`),
  );
});

test("unrelated is not unreadable: a 404 counts only while the repository can be read", async () => {
  assert.equal(await reader().relation(base, orphan), null);
  assert.deepEqual(await reader().commitsBetween(base, orphan, 0, 10), []);
  // It is not in the store: a commit that GitHub does not know yet is told in the same words.
  assert.deepEqual([...at.store.values.keys()], []);
  at.host.faults.add({ kind: "status", status: 404, match: () => true });
  assert.equal(await codeOf(reader().relation(base, head)), "repository_unavailable");
  assert.equal(await codeOf(reader().log(head, 5)), "repository_unavailable");
});

test("an answer that is short, of another commit, or fails, is an error and is not kept", async () => {
  const rewritten = (pattern: RegExp, change: (body: unknown) => unknown) =>
    at.host.faults.add({
      kind: "rewrite",
      match: (_, path) => pattern.test(path),
      rewrite: (answer) => ({
        ...answer,
        body: Buffer.from(JSON.stringify(change(JSON.parse(String(answer.body))))),
      }),
    });
  await reader().relation(base, head);
  rewritten(/per_page=100&page=2/, (body) => {
    const page = body as { commits: unknown[] };
    return { ...page, commits: page.commits.slice(1) };
  });
  assert.equal(await codeOf(reader().commitsBetween(base, head, 0, 10)), "upstream_unexpected");
  at.host.faults.clear();
  rewritten(/\/commits\?sha=/, (body) => (body as unknown[]).slice(1));
  assert.equal(await codeOf(reader().log(head, 5)), "upstream_unexpected");
  at.host.faults.clear();
  at.host.faults.add({ kind: "status", status: 502, match: () => true });
  assert.equal(await codeOf(reader().log(head, 5)), "upstream_unavailable");
  at.host.faults.clear();
  assert.deepEqual(
    (await reader().log(head, 5)).map(({ sha }) => sha),
    revList("-5", head),
  );
});
