/** Trees that the host cuts, or will not list recursively: the same answers, level by level. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";
import { type Hosted, hosted } from "../../test/repositories/hosted.ts";
import type { Commit, RepositoryReader } from "../ports/repository-reader.ts";

let repository: GitRepository;
let head: string;
let at: Hosted;
before(async () => {
  repository = new GitRepository("wide");
  for (let i = 0; i < 12; i++) {
    for (let j = 0; j < 10; j++) repository.write(`d${i}/e${j}/f.txt`, `${i} ${j}\n`);
    repository.write(`d${i}.txt`, `${i}\n`);
  }
  head = repository.commit("wide");
  at = await hosted(repository.path, { treeEntryLimit: 100 });
});
beforeEach(() => {
  at.forget();
  at.store.values.clear();
});
afterEach(() => at.host.faults.clear());
after(async () => {
  await at.host.close();
  repository.remove();
});

async function commitOf(reader: RepositoryReader): Promise<Commit> {
  const commit = await reader.commit(head);
  assert.ok(commit);
  return commit;
}

const listed = (): string[] =>
  repository.bytes("ls-tree", "-r", "-z", "--name-only", head).toString().split("\0").slice(0, -1);

test("a path below a cut root: only the trees on its way", async () => {
  const { reader, ledger } = at.call(at.isolate());
  const commit = await commitOf(reader);
  const found = await reader.entry(commit, "d7/e3/f.txt");
  assert.equal(found?.entry.id, repository.git("rev-parse", `${head}:d7/e3/f.txt`));
  assert.equal(found?.assurance, "hashed");
  // The commit, the cut listing, three levels.
  assert.equal(ledger.upstreamRequests, 5);
  assert.equal(await reader.entry(commit, "d7/e3/none"), null);
  assert.equal(await reader.entry(commit, "d7.txt/x"), null);
  assert.equal(ledger.upstreamRequests, 5);
  const cold = at.call(at.isolate());
  await cold.reader.entry(await commitOf(cold.reader), "d7/e3/f.txt");
  assert.equal(cold.ledger.upstreamRequests, 0);
});

test("all paths below a cut root: whole, proven, in git's order", async () => {
  const { reader, ledger } = at.call(at.isolate());
  const paths = await reader.paths(await commitOf(reader));
  assert.deepEqual(
    paths.entries.map((entry) => entry.path),
    listed(),
  );
  assert.deepEqual([paths.complete, paths.assurance], [true, "hashed"]);
  // The commit, the cut listing, the root alone, each of 12 directories in one.
  assert.equal(ledger.upstreamRequests, 15);
  assert.equal(await reader.pathsIfKnown(await commitOf(reader)), null);
});

test("beyond the bound of a walk the listing says that it is not complete, and goes on the next time", async () => {
  const broad = new GitRepository("broad");
  for (let i = 0; i < 130; i++) broad.write(`d${i}/f.txt`, `${i}\n`);
  const sha = broad.commit("broad");
  const cut = await hosted(broad.path, { treeEntryLimit: 200 });
  const github = cut.isolate();
  const walk = async () => {
    const { reader, ledger } = cut.call(github);
    const commit = await reader.commit(sha);
    assert.ok(commit);
    return { paths: await reader.paths(commit), requests: ledger.upstreamRequests };
  };
  const first = await walk();
  assert.equal(first.paths.complete, false);
  assert.ok(first.requests <= 105, String(first.requests));
  assert.ok(first.paths.entries.length >= 95, String(first.paths.entries.length));
  const second = await walk();
  assert.deepEqual([second.paths.complete, second.paths.entries.length], [true, 130]);
  await cut.host.close();
  broad.remove();
});

test("a single tree that the host cuts is refused: what it lacks cannot be told", async () => {
  const narrow = await hosted(repository.path, { treeEntryLimit: 12 });
  const { reader } = narrow.call(narrow.isolate());
  const commit = await commitOf(reader);
  await assert.rejects(reader.paths(commit), { code: "upstream_unexpected" });
  await assert.rejects(reader.entry(commit, "d7.txt"), { code: "upstream_unexpected" });
  await narrow.host.close();
});

test("a host that refuses to recurse", async () => {
  const refused = at.host.faults.add({
    kind: "status",
    status: 422,
    message: "Invalid object requested. SHA must identify a commit or a tree",
    match: (_, path) => path.endsWith("recursive=1"),
  });
  const { reader } = at.call(at.isolate());
  const commit = await commitOf(reader);
  assert.ok(await reader.entry(commit, "d7/e3/f.txt"));
  assert.ok(await reader.entry(commit, "d1/e1/f.txt"));
  assert.equal(refused.hits, 1);
  assert.deepEqual(
    [...at.store.values.keys()].filter((key) => key.includes("/tree/")),
    [],
    "it will pass",
  );
  at.host.faults.clear();
  const later = at.call(at.isolate());
  const paths = await later.reader.paths(await commitOf(later.reader));
  assert.equal(paths.entries.length, 132);
});

test("a failure in the middle of a walk is an error, not a shorter listing", async () => {
  const lost = repository.git("rev-parse", `${head}:d5`);
  at.host.faults.add({ kind: "html-503", match: (_, path) => path.includes(lost) });
  const { reader } = at.call(at.isolate());
  await assert.rejects(reader.paths(await commitOf(reader)), { code: "upstream_unavailable" });
});

test("known paths cost nothing", async () => {
  const whole = await hosted(repository.path);
  const { reader, ledger } = whole.call(whole.isolate());
  const commit = await commitOf(reader);
  assert.equal(await reader.pathsIfKnown(commit), null);
  assert.equal(ledger.upstreamRequests, 1);
  await reader.entry(commit, "d1.txt");
  assert.deepEqual(await reader.pathsIfKnown(commit), await reader.paths(commit));
  assert.equal(ledger.upstreamRequests, 2);
  await whole.host.close();
});

test("a commit without any file", async () => {
  const empty = repository.feed("empty\n", "commit-tree", repository.feed("", "mktree"));
  const { reader, ledger } = at.call(at.isolate());
  const commit = await reader.commit(empty);
  assert.ok(commit);
  assert.deepEqual(await reader.paths(commit), { entries: [], assurance: "hashed", complete: true });
  assert.deepEqual((await reader.directory(commit, ""))?.entries, []);
  assert.equal(await reader.entry(commit, "a"), null);
  assert.equal(ledger.upstreamRequests, 1);
});
