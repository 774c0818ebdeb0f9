/** The reader against a local host and real git: same answers, and what each costs. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { AWKWARD_FILES, type Awkward, awkwardRepository } from "../../test/repositories/awkward.ts";
import { type Hosted, hosted, REPOSITORY_ID } from "../../test/repositories/hosted.ts";
import { GitpinError } from "../errors.ts";
import type { Commit, RepositoryReader } from "../ports/repository-reader.ts";
import { NEVER, noNews } from "./news/news.ts";

let awkward: Awkward;
let at: Hosted;
before(async () => {
  awkward = awkwardRepository();
  at = await hosted(awkward.repository.path);
});
beforeEach(() => {
  at.forget();
  at.store.values.clear();
});
after(async () => {
  await at.host.close();
  awkward.repository.remove();
});

const refusedWith = (code: string) => (error: unknown) => {
  assert.ok(error instanceof GitpinError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

async function commitAt(reader: RepositoryReader, sha: string): Promise<Commit> {
  const commit = await reader.commit(sha);
  assert.ok(commit);
  return commit;
}

async function readFile(reader: RepositoryReader, sha: string, path: string): Promise<Buffer> {
  const found = await reader.entry(await commitAt(reader, sha), path);
  assert.ok(found, path);
  return Buffer.from(await reader.blob(found.entry.id));
}

test("cost: the first file of a repository, another of the same commit, the same again", async () => {
  const github = at.isolate();
  const first = at.call(github);
  const head = await first.reader.head();
  assert.equal(head.sha, awkward.head);
  assert.equal(
    (await readFile(first.reader, head.sha, "README.md")).toString(),
    "# Awkward\n\nLine three, changed.\n",
  );
  const root = awkward.repository.git("rev-parse", "HEAD^{tree}");
  const blob = awkward.repository.git("rev-parse", "HEAD:README.md");
  assert.deepEqual(at.paths(), [
    "/commits/HEAD?per_page=1",
    `/git/trees/${root}?recursive=1`,
    `/git/blobs/${blob}`,
  ]);
  assert.equal(first.ledger.upstreamRequests, 3);

  const second = at.call(github);
  await second.reader.head();
  await readFile(second.reader, head.sha, "src/app.ts");
  assert.equal(second.ledger.upstreamRequests, 1);

  const third = at.call(github);
  await third.reader.head();
  await readFile(third.reader, head.sha, "src/app.ts");
  assert.equal(third.ledger.upstreamRequests, 0);
  assert.equal(third.ledger.cacheHits, 4);
});

test("cost: without an id one request more, once", async () => {
  const github = at.isolate();
  const entry = { id: undefined };
  const first = at.call(github, entry);
  const { sha } = await first.reader.head();
  await readFile(first.reader, sha, "README.md");
  assert.equal(first.ledger.upstreamRequests, 4);
  assert.equal(at.paths()[0], "/repos/octo/awkward");
  const second = at.call(github, entry);
  await second.reader.head();
  await second.reader.identity();
  assert.equal(second.ledger.upstreamRequests, 0);
});

test("cost: past the bound, one request that is answered 304", async () => {
  const github = at.isolate();
  const first = at.call(github);
  const before = await first.reader.head();
  at.clock.ms += 15_000;
  const second = at.call(github);
  const head = await second.reader.head();
  await readFile(second.reader, head.sha, "README.md");
  assert.deepEqual([second.ledger.upstreamRequests, second.ledger.notModified], [3, 1]);
  assert.equal(Date.parse(head.checkedAt) - Date.parse(before.checkedAt), 15_000);
  assert.equal(head.stale, null);
});

test("cost: an older commit, cold and from the store", async () => {
  const { reader, ledger } = at.call(at.isolate());
  assert.equal(await reader.reachable(awkward.before), true);
  await readFile(reader, awkward.before, "src/app.ts");
  // The tip, the comparison, the commit, its trees, the blob.
  assert.equal(ledger.upstreamRequests, 5);
  const cold = at.call(at.isolate());
  assert.equal(await cold.reader.reachable(awkward.before), true);
  await readFile(cold.reader, awkward.before, "src/app.ts");
  assert.equal(cold.ledger.upstreamRequests, 0);
});

test("every awkward file is read as git shows it", async () => {
  const { reader } = at.call(at.isolate());
  for (const [path, content] of Object.entries(AWKWARD_FILES)) {
    const bytes = await readFile(reader, awkward.before, path);
    assert.ok(bytes.equals(Buffer.from(content)), path);
    assert.ok(bytes.equals(awkward.repository.bytes("cat-file", "blob", `${awkward.before}:${path}`)), path);
  }
});

test("paths and directories are those of git ls-tree, in its order", async () => {
  const { reader } = at.call(at.isolate());
  const commit = await commitAt(reader, awkward.head);
  const all = await reader.paths(commit);
  const lines = all.entries.map(({ mode, id, path }) => `${mode} ${id}\t${path}`);
  const listed = (...args: string[]) =>
    awkward.repository
      .bytes("ls-tree", "-z", ...args)
      .toString("utf8")
      .split("\0")
      .slice(0, -1)
      .map((line) => line.replace(/ (?:blob|tree|commit) /, " "));
  assert.deepEqual(lines, listed("-r", awkward.head));
  assert.equal(all.complete, true);
  assert.equal(all.assurance, "hashed");
  const root = await reader.directory(commit, "");
  assert.deepEqual(
    root?.entries.map(({ mode, id, path }) => `${mode} ${id}\t${path}`),
    listed(awkward.head),
  );
  const src = await reader.directory(commit, "src");
  assert.deepEqual(
    src?.entries.map((entry) => entry.path),
    ["src/app.ts"],
  );
});

test("what is not there is null, and nothing is read through a link or a submodule", async () => {
  const { reader } = at.call(at.isolate());
  const commit = await commitAt(reader, awkward.head);
  for (const path of [
    "nowhere",
    "src/nowhere",
    "SRC",
    "README.md/x",
    "link-dir/app.ts",
    "vendor/lib/x",
    "src/",
  ]) {
    assert.equal(await reader.entry(commit, path), null, path);
    assert.equal(await reader.directory(commit, path), null, path);
  }
  assert.equal(await reader.directory(commit, "README.md"), null);
  const kinds = ["link-dir", "vendor/lib", "run.sh", "src", ""].map(
    async (path) => (await reader.entry(commit, path))?.entry.kind,
  );
  assert.deepEqual(await Promise.all(kinds), [
    "symlink",
    "submodule",
    "executable",
    "directory",
    "directory",
  ]);
  assert.equal(await reader.commit("1".repeat(40)), null);
  const blob = awkward.repository.git("rev-parse", "HEAD:README.md");
  assert.equal(await reader.commit(blob), null, "a blob is no commit");
});

test("commits are proven from their bytes", async () => {
  const { reader } = at.call(at.isolate());
  for (const sha of [awkward.first, awkward.before, awkward.head]) {
    const commit = await commitAt(reader, sha);
    assert.equal(commit.assurance, "hashed");
    assert.equal(commit.tree, awkward.repository.git("rev-parse", `${sha}^{tree}`));
    assert.equal(commit.message, awkward.repository.git("show", "-s", "--format=%B", sha).trim());
    assert.equal(commit.author.name, "Ada");
  }
  const cold = at.call(at.isolate());
  assert.deepEqual(await commitAt(cold.reader, awkward.head), await commitAt(reader, awkward.head));
});

test("reachability: tips, ancestors, and what no ref leads to", async () => {
  const { reader } = at.call(at.isolate());
  assert.equal(await reader.reachable(awkward.head), true);
  assert.equal(await reader.reachable(awkward.first), true);
  assert.equal(await reader.reachable(awkward.lost), false);
  assert.equal(await reader.reachable(awkward.release), false);
  assert.equal(await reader.reachable("1".repeat(40)), false);
  const wider = at.call(at.isolate(), { refs: ["release/1.x", "no-such-ref"] });
  assert.equal(await wider.reader.reachable(awkward.release), true);
  const narrowed = at.call(at.isolate());
  assert.equal(await narrowed.reader.reachable(awkward.release), false, "true for other refs does not count");
});

test("abbreviations are object ids, never branches", async () => {
  const { reader, ledger } = at.call(at.isolate());
  assert.equal(await reader.resolveAbbreviation(awkward.before.slice(0, 12)), awkward.before);
  assert.equal(await reader.resolveAbbreviation(awkward.before.slice(0, 12)), awkward.before);
  assert.equal(ledger.upstreamRequests, 1);
  await commitAt(reader, awkward.before);
  assert.equal(ledger.upstreamRequests, 1, "the commit came along");
  awkward.repository.git("branch", "badcafe", awkward.first);
  await assert.rejects(reader.resolveAbbreviation("badcafe"), refusedWith("sha_not_resolved"));
  await assert.rejects(reader.resolveAbbreviation("0000000"), refusedWith("sha_not_resolved"));
});

test("refs: only registered ones, however they are written", async () => {
  const entry = { ref: "main", refs: ["release/1.x", "tags/v1.0.0"] };
  const github = at.isolate();
  const { reader } = at.call(github, entry);
  const same = async (name: string | undefined, ref: string, sha: string) => {
    const head = await reader.head(name);
    assert.deepEqual([head.ref, head.sha], [ref, sha], name);
  };
  await same(undefined, "refs/heads/main", awkward.head);
  for (const name of ["main", "heads/main", "refs/heads/main", "HEAD"]) {
    await same(name, "refs/heads/main", awkward.head);
  }
  await same("release/1.x", "refs/heads/release/1.x", awkward.release);
  const tagged = awkward.repository.git("rev-parse", "v1.0.0^{commit}");
  for (const name of ["v1.0.0", "tags/v1.0.0", "refs/tags/v1.0.0"]) {
    await same(name, "refs/tags/v1.0.0", tagged);
  }
  for (const name of ["tags/main", "nope", "refs/heads/v1.0.0", awkward.head, "main~1", "../repos"]) {
    await assert.rejects(reader.head(name), (error) => {
      refusedWith("ref_not_registered")(error);
      assert.ok(error instanceof GitpinError);
      assert.deepEqual(error.data.registered, ["main", "release/1.x", "tags/v1.0.0"]);
      return true;
    });
  }
});

test("refs: a bare name is a branch, else a tag; a missing one is an error", async () => {
  const { reader } = at.call(at.isolate(), { ref: "v1.0.0", refs: ["gone"] });
  const head = await reader.head();
  assert.equal(head.ref, "refs/tags/v1.0.0");
  assert.deepEqual(await reader.head(head.ref), head, "what an answer names can be asked for");
  await assert.rejects(reader.head("heads/nested"), refusedWith("ref_not_registered"));
  const both = at.call(at.isolate(), { ref: "same-name" });
  assert.deepEqual(await both.reader.head(), { ...(await both.reader.head("heads/same-name")) });
  assert.equal((await both.reader.head()).sha, awkward.head, "the branch, not the tag of that name");
  await assert.rejects(both.reader.head("tags/same-name"), refusedWith("ref_not_registered"));
  await assert.rejects(reader.head("gone"), refusedWith("ref_missing"));
});

test("refs: the default branch may be named when no ref is registered", async () => {
  const { reader, ledger } = at.call(at.isolate());
  assert.equal((await reader.head("main")).sha, awkward.head);
  assert.equal(ledger.upstreamRequests, 2);
  await assert.rejects(reader.head("release/1.x"), refusedWith("ref_not_registered"));
  assert.equal(ledger.upstreamRequests, 2);
});

test("one call sees one tip, the next one sees the new one", async () => {
  const github = at.isolate({ headMaxAgeSeconds: 0 });
  const { reader } = at.call(github);
  const before = await reader.head();
  const moved = awkward.repository.feed("moved\n", "commit-tree", "HEAD^{tree}", "-p", "HEAD");
  awkward.repository.git("update-ref", "refs/heads/main", moved);
  assert.equal((await reader.head()).sha, before.sha);
  const next = at.call(github);
  assert.equal((await next.reader.head()).sha, moved);
  assert.deepEqual([next.ledger.upstreamRequests, next.ledger.notModified], [1, 0]);
  awkward.repository.git("update-ref", "refs/heads/main", awkward.head);
});

test("an expired tip is asked for again, conditionally", async () => {
  const moved = { at: NEVER };
  const github = at.isolate({ headMaxAgeSeconds: 300, news: { ...noNews, tipChangedAt: () => moved.at } });
  await at.call(github).reader.head();
  assert.equal(
    await at
      .call(github)
      .reader.head()
      .then(() => at.paths().length),
    1,
  );
  moved.at = at.clock.ms;
  at.clock.ms += 10_000;
  const { reader, ledger } = at.call(github);
  await reader.head();
  assert.deepEqual([ledger.upstreamRequests, ledger.notModified], [1, 1]);
});

test("a tip that expires while it is asked for is asked for once more", async () => {
  const moved = { at: NEVER };
  const github = at.isolate({ headMaxAgeSeconds: 300, news: { ...noNews, tipChangedAt: () => moved.at } });
  await at.call(github).reader.head();
  at.clock.ms += 300_000;
  const held = at.host.faults.add({ kind: "hang", match: (_, path) => path.includes("/commits/HEAD") });
  const reached = at.host.nextRequest((request) => request.path.includes("/commits/HEAD"));
  const asked = at.call(github).reader.head();
  await reached;
  moved.at = at.clock.ms;
  held.release();
  await asked;
  const { reader, ledger } = at.call(github);
  await reader.head();
  assert.equal(ledger.upstreamRequests, 1);
});

test("a rename costs nothing with an id, and one redirect without", async () => {
  at.host.rename("octo/awkward", "octo/renamed");
  const pinned = at.call(at.isolate());
  assert.equal((await pinned.reader.head()).sha, awkward.head);
  assert.equal(pinned.ledger.upstreamRequests, 1);
  assert.equal((await pinned.reader.identity()).fullName, "octo/renamed");
  const named = at.call(at.isolate(), { id: undefined });
  assert.equal((await named.reader.identity()).id, REPOSITORY_ID);
  assert.equal(named.ledger.upstreamRequests, 2);
  at.host.rename("octo/renamed", "octo/awkward");
});

test("identity: asked once an hour, then conditionally", async () => {
  const github = at.isolate();
  const { reader, ledger } = at.call(github);
  assert.deepEqual(await reader.identity(), {
    id: REPOSITORY_ID,
    fullName: "octo/awkward",
    defaultBranch: "main",
    visibility: "private",
    archived: false,
    webUrl: `${at.host.url}/octo/awkward`,
  });
  assert.equal((await reader.head()).ref, "refs/heads/main", "the branch's name is known now");
  at.clock.ms += 3_600_000;
  await reader.identity();
  assert.deepEqual([ledger.upstreamRequests, ledger.notModified], [3, 1]);
});
