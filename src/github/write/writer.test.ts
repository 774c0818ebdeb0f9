/** The writer against a local host that writes with real git: what lands, what it costs, and what reads see right after. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { commitFile, planned, type Writing, writing } from "../../../test/repositories/writing.ts";
import { GitpinError } from "../../errors.ts";
import { newLedger } from "../../ports/ledger.ts";
import { repositoryEntry } from "../../schema/registry.ts";
import { inlineTexts } from "./git-objects.ts";

let here: Writing;
beforeEach(async () => {
  here = await writing();
});
afterEach(() => here.close());

/** A commit of these files, with what it takes to plan it read before. */
async function ready(...files: ReturnType<typeof commitFile>[]) {
  const github = here.at.isolate();
  const request = await planned(
    here.at.call(github).reader,
    here.head,
    files,
    "Change files\n\nWith a body.",
  );
  await here.at.call(github).reader.identity();
  here.at.forget();
  return { github, request, ...here.at.call(github) };
}

test("a commit: one request for each of tip, tree, commit and ref, whatever the number of files", async () => {
  const files = [
    commitFile("src/app.ts", "export const answer = 43;\r\n"),
    commitFile("run.sh", "#!/bin/sh\necho hi\n", "100755"),
    commitFile("src/new/caf\u00e9 \u{1f600}.ts", "\ufeffwith a mark, \u2028 and no final line feed"),
    commitFile("src/deep/er/more.go", ""),
    commitFile("link", "src/app.ts", "120000"),
  ];
  const { request, writer, ledger } = await ready(...files);
  assert.equal(await writer.tip("main"), here.head);
  const commit = await writer.prepare(request);
  assert.equal(here.git("rev-parse", "main"), here.head, "nothing is visible yet");
  assert.equal(await writer.advance("main", here.head, commit), "moved");
  assert.deepEqual(here.asked(), [
    "GET /commits/heads%2Fmain?per_page=1 200",
    "POST /git/trees 201",
    "POST /git/commits 201",
    "POST /graphql 200",
  ]);
  assert.equal(ledger.upstreamRequests, 4);

  assert.equal(here.git("rev-parse", "main"), commit);
  assert.equal(here.git("fsck", "--strict", "--no-dangling"), "");
  assert.equal(here.git("rev-parse", "main^{tree}"), request.tree);
  assert.equal(here.git("rev-list", "--parents", "-1", "main"), `${commit} ${here.head}`);
  assert.equal(here.git("log", "-1", "--format=%B", "main"), "Change files\n\nWith a body.");
  for (const { path, mode, bytes } of files) {
    assert.ok(here.bytes("cat-file", "blob", `main:${path}`).equals(bytes), path);
    assert.equal(here.git("ls-tree", "--format=%(objectmode)", "main", path), mode, path);
  }
  assert.equal(
    here.git("-c", "core.quotePath=false", "diff", "--name-status", here.head, "main"),
    [
      "A\tlink",
      "M\trun.sh",
      "M\tsrc/app.ts",
      "A\tsrc/deep/er/more.go",
      "A\tsrc/new/caf\u00e9 \u{1f600}.ts",
    ].join("\n"),
  );
});

test("what was written is read at no cost, by this isolate and, but for the tip, by others", async () => {
  const file = commitFile("src/deep/er/file.go", "package er // new\n");
  const { github, request, writer } = await ready(file);
  const before = await here.at.call(github).reader.head();
  assert.equal(before.sha, here.head);
  const commit = await writer.prepare(request);
  await writer.advance("main", here.head, commit);
  writer.wrote("main", commit, request.files);

  const near = here.at.call(github);
  const head = await near.reader.head();
  assert.deepEqual([head.sha, head.ref, head.stale], [commit, "refs/heads/main", null]);
  for (const { reader, ledger } of [near, here.at.call(here.at.isolate())]) {
    const read = await reader.commit(commit);
    assert.deepEqual(
      [read?.tree, read?.parents, read?.message, read?.assurance],
      [request.tree, [here.head], "Change files\n\nWith a body.", "hashed"],
    );
    assert.ok(read);
    const listing = await reader.paths(read);
    assert.deepEqual(
      listing.entries.map(({ path, id, size }) => `${path} ${id} ${size}`),
      here.git("ls-tree", "-r", "--format=%(path) %(objectname) %(objectsize)", "main").split("\n"),
    );
    assert.equal(listing.assurance, "hashed");
    const found = await reader.entry(read, file.path);
    assert.equal(found?.entry.id, file.blob);
    assert.equal(Buffer.from(await reader.blob(file.blob)).toString(), "package er // new\n");
    assert.equal(ledger.upstreamRequests, 0);
  }
});

test("the tip that is told at once: under every registered name, and past an older answer that comes late", async () => {
  const { github, request, writer } = await ready(commitFile("a", "a\n"));
  const entry = { ref: "main", refs: ["refs/heads/main", "heads/main", "v1"] };
  const late = here.at.host.faults.add({ kind: "hang", match: (_, path) => path.includes("/commits/") });
  const asked = here.at.host.nextRequest(({ path }) => path.includes("/commits/"));
  const slow = here.at.call(github, entry).reader.head("main");
  await asked;
  here.at.clock.ms += 1;
  const { writer: named } = here.at.call(github, entry);
  const commit = await named.prepare(request);
  await named.advance("main", here.head, commit);
  named.wrote("main", commit, request.files);
  late.release();
  assert.equal((await slow).sha, commit);
  here.at.forget();
  for (const name of ["main", "refs/heads/main", "heads/main"]) {
    assert.equal((await here.at.call(github, entry).reader.head(name)).sha, commit, name);
  }
  assert.deepEqual(here.asked(), []);
  assert.equal(await writer.tip("main"), commit);
});

test("where the default branch is not known, HEAD is asked for after a write", async () => {
  const github = here.at.isolate();
  const { reader, writer } = here.at.call(github);
  const head = await reader.head();
  assert.deepEqual([head.sha, head.ref], [here.head, "HEAD"]);
  const moved = here.foreign(here.head, "x", "x\n");
  assert.equal(await writer.tip("main"), here.head);
  here.git("update-ref", "refs/heads/main", moved);
  writer.wrote("main", moved, []);
  assert.equal((await here.at.call(github).reader.head()).sha, moved);
});

test("the tip is asked of the host each time, at no cost while it stands", async () => {
  const { writer, ledger } = await ready();
  assert.equal(await writer.tip("main"), here.head);
  assert.equal(await writer.tip("main"), here.head);
  assert.deepEqual([ledger.upstreamRequests, ledger.notModified], [2, 1]);
  const moved = here.foreign(here.head, "x", "x\n");
  here.git("update-ref", "refs/heads/main", moved);
  assert.equal(await writer.tip("main"), moved);
  assert.equal(await writer.tip("nope"), null);
});

test("a branch is moved only from where the caller says it stands: forward, sideways and back", async () => {
  const { request, writer } = await ready(commitFile("a", "a\n"));
  const commit = await writer.prepare(request);
  const foreign = here.foreign(here.head, "x", "x\n");
  here.git("update-ref", "refs/heads/main", foreign);
  here.at.forget();
  assert.equal(await writer.advance("main", here.head, commit), "raced");
  assert.deepEqual(here.asked(), ["POST /graphql 200", "GET /commits/heads%2Fmain?per_page=1 200"]);
  assert.equal(here.git("rev-parse", "main"), foreign);

  // Put back by somebody: a fast-forward from there would bring back what was taken away.
  const parent = here.git("commit-tree", `${here.head}^{tree}`, "-m", "a root");
  const child = here.git("commit-tree", `${here.head}^{tree}`, "-p", parent, "-m", "a child");
  const grandchild = here.git("commit-tree", `${here.head}^{tree}`, "-p", child, "-m", "a grandchild");
  here.git("update-ref", "refs/heads/side", parent);
  assert.equal(await writer.advance("side", child, grandchild), "raced");
  assert.equal(here.git("rev-parse", "side"), parent);
  assert.equal(await writer.advance("gone", here.head, commit), "raced");
});

test("a host without updateRefs: found out once, then a read and a fast-forward", async (context) => {
  const old = await writing({ refUpdates: false });
  context.after(() => old.close());
  const github = old.at.isolate();
  const first = old.at.call(github);
  const request = await planned(first.reader, old.head, [commitFile("a", "a\n")]);
  await first.reader.identity();
  const commit = await first.writer.prepare(request);
  old.at.forget();
  assert.equal(await first.writer.advance("main", old.head, commit), "moved");
  assert.deepEqual(old.asked(), [
    "POST /graphql 200",
    "GET /commits/heads%2Fmain?per_page=1 200",
    "PATCH /git/refs/heads/main 200",
  ]);
  assert.equal(old.git("rev-parse", "main"), commit);

  const second = old.at.call(github);
  const next = await planned(second.reader, commit, [commitFile("b", "b\n")]);
  const child = await second.writer.prepare(next);
  old.at.forget();
  const { writer, ledger } = old.at.call(github);
  assert.equal(await writer.advance("main", commit, child), "moved");
  assert.equal(ledger.upstreamRequests, 2);
  assert.equal(await writer.advance("main", old.head, commit), "raced");
  assert.equal(await writer.advance("main", commit, child), "moved", "it stands there already");
  const branch = old.git("commit-tree", `${child}^{tree}`, "-p", old.head, "-m", "not forward");
  assert.equal(await writer.advance("main", child, branch).catch((error) => error.code), "branch_protected");
});

test("another tree than was computed: nothing is committed", async () => {
  const { request, writer } = await ready(commitFile("a", "a\n"));
  await assert.rejects(writer.prepare({ ...request, tree: "1".repeat(40) }), {
    code: "tree_mismatch",
    data: { expected: "1".repeat(40), actual: request.tree },
  });
  assert.deepEqual(here.asked(), ["POST /git/trees 201"]);
});

test("what is no text goes as a blob, and so does the largest text where it is too much for one request", async () => {
  const large = commitFile("large.ts", `// ${"x".repeat(1_500_000)}\n`);
  const less = commitFile("less.ts", `// ${"y".repeat(1_000_000)}\n`);
  const latin = commitFile("latin.txt", Buffer.from("caf\u00e9\n", "latin1"));
  const zero = commitFile("zero.bin", "a\0b");
  const { request, writer } = await ready(large, latin, less, zero);
  const commit = await writer.prepare(request);
  await writer.advance("main", here.head, commit);
  assert.deepEqual(here.asked(), [
    ...["large", "latin", "zero"].map(() => "POST /git/blobs 201"),
    "POST /git/trees 201",
    "POST /git/commits 201",
    "POST /graphql 200",
  ]);
  for (const { path, bytes } of request.files) {
    assert.ok(here.bytes("cat-file", "blob", `main:${path}`).equals(bytes), path);
  }
  assert.equal(here.git("fsck", "--strict", "--no-dangling"), "");
});

test("texts that go inline: the smallest ones, as many as fit", () => {
  const files = [commitFile("c", "333"), commitFile("a", "1"), commitFile("b", "22"), commitFile("n", "\0")];
  assert.deepEqual(
    [...inlineTexts(files, 4)],
    [
      ["a", "1"],
      ["b", "22"],
    ],
  );
  assert.deepEqual([...inlineTexts(files, 7).keys()], ["a", "b", "c"]);
  assert.deepEqual([...inlineTexts(files, 0)], []);
});

test("a new branch: made, there already, taken", async () => {
  const { request, writer, ledger } = await ready(commitFile("a", "a\n"));
  const commit = await writer.prepare(request);
  here.at.forget();
  assert.equal(await writer.createBranch("agent/one", commit), "moved");
  assert.deepEqual(here.asked(), ["POST /git/refs 201"]);
  assert.equal(here.git("rev-parse", "agent/one"), commit);
  assert.equal(await writer.createBranch("agent/one", commit), "moved");
  assert.equal(await writer.createBranch("main", commit), "raced");
  assert.equal(await writer.tip("agent/one"), commit);
  assert.equal(here.git("rev-parse", "main"), here.head);
  assert.equal(ledger.upstreamRequests, here.at.host.requests.length + 2);
});

test("a new branch whose name continues another's, or begins it: refused, with the branch in the way", async () => {
  const { writer } = await ready();
  assert.equal(await writer.createBranch("agent/n", here.head), "moved");
  here.at.forget();
  const cases: [name: string, inTheWay: string][] = [
    ["agent/n/x", "agent/n"],
    ["agent/n/x/y", "agent/n"],
    ["main/x", "main"],
    ["agent", "agent/n"],
  ];
  for (const [name, inTheWay] of cases) {
    assert.throws(
      () => here.git("update-ref", `refs/heads/${name}`, here.head, "0".repeat(40)),
      "git refuses",
    );
    assert.deepEqual(await writer.createBranch(name, here.head), { inTheWay }, name);
  }
  // Neither is in the way of the other.
  here.at.forget();
  for (const name of ["agent/nx", "mai"]) assert.equal(await writer.createBranch(name, here.head), "moved");
  assert.deepEqual(here.asked(), ["POST /git/refs 201", "POST /git/refs 201"]);
  here.git("update-ref", "-d", "refs/heads/mai");
});

test("names that are no branches' get nowhere", async () => {
  const { writer } = await ready();
  for (const name of [
    "",
    "../../issues",
    "a/../b",
    "a..b",
    ".a",
    "a/.b",
    "a.lock",
    "a.lock/b",
    "a/",
    "/a",
    "a//b",
    "a b",
    "a\u0000",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
    "a@{1}",
    "@",
    "-a",
    "a.",
    "HEAD",
    "refs/heads/main",
    "1".repeat(40),
    "\ud800",
    "x".repeat(256),
  ]) {
    const refused = { code: "invalid_argument" };
    await assert.rejects(writer.tip(name), refused, name);
    await assert.rejects(writer.advance(name, here.head, here.head), refused, name);
    await assert.rejects(writer.createBranch(name, here.head), refused, name);
    await assert.rejects(writer.openPullRequest({ title: "t", head: name, base: "main" }), refused, name);
    await assert.rejects(writer.firstCommit(commitFile("a", "a"), name, "m"), refused, name);
  }
  assert.deepEqual(here.asked(), []);
  for (const name of ["feature/\u00fcml\u00e4ut#1", "a%2Fb", "1".repeat(39)]) {
    assert.equal(await writer.createBranch(name, here.head), "moved", name);
    assert.equal(await writer.tip(name), here.head, name);
    assert.equal(here.git("rev-parse", `refs/heads/${name}`), here.head, name);
  }
});

test("whether a commit landed", async () => {
  const { writer } = await ready();
  const child = here.foreign(here.head, "x", "x\n");
  here.git("update-ref", "refs/heads/main", child);
  const other = here.foreign(here.head, "y", "y\n");
  const root = here.git("commit-tree", `${here.head}^{tree}`, "-m", "another history");
  assert.equal(await writer.landed("main", child), true);
  assert.equal(await writer.landed("main", here.head), true);
  assert.equal(await writer.landed("main", other), false);
  assert.equal(await writer.landed("main", root), false);
  assert.equal(await writer.landed("main", "1".repeat(40)), null);
  assert.equal(await writer.landed("nope", child), null);
});

test("the first commit of an empty repository", async (context) => {
  const empty = await writing({}, null);
  context.after(() => empty.close());
  const github = empty.at.isolate();
  const { reader, writer, ledger } = empty.at.call(github);
  await assert.rejects(writer.tip("main"), { code: "repository_empty" });
  const file = commitFile("src/main.go", "package main\n");
  const commit = await writer.firstCommit(file, "main", "Begin\n\nHere.");
  assert.ok(commit);
  assert.deepEqual(empty.asked(), [
    "GET /commits/heads%2Fmain?per_page=1 409",
    "PUT /contents/src/main.go 201",
  ]);
  assert.equal(ledger.upstreamRequests, 2);
  assert.equal(empty.git("rev-parse", "main"), commit);
  assert.equal(empty.git("rev-list", "--parents", "-1", "main"), commit);
  assert.equal(empty.git("log", "-1", "--format=%B", "main"), "Begin\n\nHere.");
  assert.ok(empty.bytes("cat-file", "blob", "main:src/main.go").equals(file.bytes));
  assert.equal(empty.git("fsck", "--strict"), "");
  writer.wrote("main", commit, [file]);
  const read = await reader.commit(commit);
  assert.ok(read);
  assert.deepEqual(
    (await reader.paths(read)).entries.map(({ path }) => path),
    ["src/main.go"],
  );
  assert.equal(ledger.upstreamRequests, 2);

  const again = empty.at.call(github).writer;
  assert.equal(await again.firstCommit(file, "main", "Begin"), null, "the file is there");
  assert.equal(await again.firstCommit(file, "side", "Begin"), null, "there is no such branch");
  assert.equal(empty.git("rev-list", "--count", "--all"), "1");
  const other = commitFile("b.go", "package main\n");
  const late = await again.firstCommit(other, "main", "Also begin").catch((error: GitpinError) => error);
  const tip = empty.git("rev-parse", "main");
  assert.ok(late instanceof GitpinError);
  assert.deepEqual([late.code, late.data], ["write_unknown", { branch: "main", commit: tip, landed: true }]);
  assert.equal(empty.git("rev-list", "--parents", "-1", "main"), `${tip} ${commit}`, "it stands on theirs");
});

test("a first commit that nobody heard of is found later, by its tree and message at the root", async (context) => {
  const empty = await writing({}, null);
  context.after(() => empty.close());
  const open = () => empty.at.call(empty.at.isolate()).writer;
  const file = commitFile("a.go", "package a\n");
  const message = "Begin\n\nGitpin-Request: r";
  const tree = empty.feed(`100644 blob ${file.blob}\ta.go\n`, "mktree", "--missing");
  assert.equal(await open().firstLanded("main", tree, message), null, "no commit at all");
  // It lands, and neither the answer nor any reading after it arrives.
  empty.at.host.faults.add({
    kind: "status",
    status: 502,
    afterwards: true,
    match: (method) => method === "PUT",
  });
  empty.at.host.faults.add({ kind: "status", status: 502, match: (method) => method === "GET" });
  await assert.rejects(open().firstCommit(file, "main", message), {
    code: "write_unknown",
    data: { branch: "main", commit: null },
  });
  const failure = await open()
    .firstLanded("main", tree, message)
    .catch((error: GitpinError) => error.code);
  assert.equal(failure, "upstream_unavailable", "never null while it cannot be asked");
  empty.at.host.faults.clear();
  const made = empty.git("rev-parse", "main");
  assert.equal(await open().firstLanded("main", tree, message), made);
  empty.git("update-ref", "refs/heads/main", empty.foreign(made, "later.txt", "later\n"));
  empty.at.clock.ms += 60_000;
  assert.equal(await open().firstLanded("main", tree, message), made, "somebody went on from it");
  assert.equal(await open().firstLanded("main", tree, `${message}2`), null);
  assert.equal(await open().firstLanded("side", tree, message), null);
  await assert.rejects(open().firstLanded("main", made, message), {
    code: "write_unknown",
    data: { branch: "main", commit: made, landed: true },
  });
});

test("a history that is too long to look through is said to be unknown", async (context) => {
  const empty = await writing({}, null);
  context.after(() => empty.close());
  const tree = empty.feed("", "mktree");
  let tip = empty.git("commit-tree", tree, "-m", "ours");
  for (let count = 1; count < 100; count++) tip = empty.git("commit-tree", tree, "-p", tip, "-m", `${count}`);
  empty.git("update-ref", "refs/heads/main", tip);
  const asked = () => empty.at.call(empty.at.isolate()).writer.firstLanded("main", tree, "other");
  await assert.rejects(asked(), { code: "write_unknown", data: { branch: "main", commit: null } });
});

test("a first commit whose answer was lost, its second try refused: not said to have failed", async (context) => {
  const empty = await writing({}, null);
  context.after(() => empty.close());
  const file = commitFile("a.go", "package a\n");
  const first = () => empty.at.call(empty.at.isolate()).writer.firstCommit(file, "main", "Begin");
  const match = (method: string, path: string) => method === "PUT" && path.includes("/contents/");
  empty.at.host.faults.add({ kind: "status", status: 403, message: "Resource not accessible", match });
  await assert.rejects(first(), { code: "write_forbidden" });
  for (const message of ["Resource not accessible", "API rate limit exceeded", "something new"]) {
    empty.at.host.faults.clear();
    empty.at.host.faults.add({ kind: "reset", times: 1, match });
    empty.at.host.faults.add({
      kind: "status",
      status: message === "something new" ? 422 : 403,
      message,
      match,
    });
    await assert.rejects(first(), { code: "write_unknown", data: { branch: "main", commit: null } }, message);
  }
  empty.at.host.faults.clear();
  assert.match((await first()) ?? "", /^[0-9a-f]{40}$/);
});

test("everything else needs a first commit", async (context) => {
  const empty = await writing({}, null);
  context.after(() => empty.close());
  const { writer } = empty.at.call(empty.at.isolate());
  const file = commitFile("a", "a");
  const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  const refused = { code: "repository_empty" };
  await assert.rejects(
    writer.prepare({ parent: here.head, parentTree: tree, files: [file], tree, message: "m" }),
    refused,
  );
  await assert.rejects(writer.createBranch("a", here.head), refused);
  await assert.rejects(writer.advance("main", here.head, here.head), refused);
});

test("a pull request: opened, given back while it is open, refused with the reason", async () => {
  const { request, writer } = await ready(commitFile("a", "a\n"));
  const commit = await writer.prepare(request);
  await writer.createBranch("agent/one", commit);
  here.at.forget();
  const input = { title: "One", body: "Why.", head: "agent/one", base: "main" };
  const opened = await writer.openPullRequest(input);
  assert.equal(opened.number, 1);
  assert.match(opened.url, /\/octo\/awkward\/pull\/1$/);
  assert.deepEqual(here.asked(), ["POST /pulls 201"]);
  assert.deepEqual(await writer.openPullRequest({ ...input, title: "Another" }), opened);
  assert.equal(here.at.host.requests.filter(({ status }) => status === 201).length, 1);

  await writer.createBranch("agent/same", here.head);
  const refused = (more: object) => writer.openPullRequest({ ...input, ...more });
  await assert.rejects(refused({ head: "agent/same" }), {
    code: "pull_request_refused",
    data: { reason: "no_commits", head: "agent/same", base: "main" },
  });
  await assert.rejects(refused({ head: "nope" }), {
    code: "pull_request_refused",
    data: { reason: "no_such_branch", head: "nope", base: "main" },
  });
  await assert.rejects(refused({ base: "nope" }), {
    data: { reason: "no_such_branch", head: "agent/one", base: "nope" },
  });
});

test("without an id in the registry: one request more, once", async () => {
  const github = here.at.isolate();
  const entry = { id: undefined };
  const { writer, ledger } = here.at.call(github, entry);
  assert.equal(await writer.tip("main"), here.head);
  assert.deepEqual(here.asked(), ["GET /repos/octo/awkward 200", "GET /commits/heads%2Fmain?per_page=1 200"]);
  const request = await planned(here.at.call(github, entry).reader, here.head, [commitFile("a", "a\n")]);
  const before = ledger.upstreamRequests;
  const commit = await writer.prepare(request);
  assert.equal(await writer.advance("main", here.head, commit), "moved");
  assert.equal(ledger.upstreamRequests - before, 3, "who the repository is, is known");
});

test("with an id and nothing known of the repository, its node id is asked for, once in its life", async () => {
  const github = here.at.isolate();
  const { reader, writer } = here.at.call(github);
  const request = await planned(reader, here.head, [commitFile("a", "a\n")]);
  const commit = await writer.prepare(request);
  here.at.forget();
  await writer.advance("main", here.head, commit);
  assert.deepEqual(here.asked(), ["GET  200", "POST /graphql 200"]);
  here.at.clock.ms += 7_200_000;
  here.at.forget();
  const next = await planned(reader, commit, [commitFile("b", "b\n")]);
  await writer.advance("main", commit, await writer.prepare(next));
  assert.deepEqual(
    here.asked().filter((line) => line.startsWith("GET  ")),
    [],
  );
});

test("a trace goes with writes", async () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const { request } = await ready(commitFile("a", "a\n"));
  const seen: (string | null)[] = [];
  const github = here.at.isolate({
    fetch: (input, init) => {
      seen.push(new Headers(init?.headers).get("traceparent"));
      return fetch(input, init);
    },
  });
  const { reader } = here.at.call(github);
  await reader.identity();
  seen.length = 0;
  const entry = { name: "x", owner: "octo", repo: "awkward", id: 7001 };
  const call = { ledger: newLedger(), background: { keepAlive: () => undefined }, traceparent };
  const writer = github.openWriter(repositoryEntry.parse(entry), call);
  await writer.advance("main", here.head, await writer.prepare(request));
  assert.deepEqual(seen, [traceparent, traceparent, traceparent]);
});
