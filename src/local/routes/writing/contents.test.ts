// One file in one commit through the contents API: made, changed, stale, on a branch, and the first of an empty repository.
import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { GitRepository } from "../../../../test/repositories/git.ts";
import { parsed } from "../../testing/client.ts";
import { errorOf, type Served, serve } from "../../testing/served.ts";

interface Written {
  content: { path: string; sha: string; size: number; type: string };
  commit: { sha: string; message: string; parents: { sha: string }[] };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const NOPE = "1".repeat(40);

let repository: GitRepository;
let served: Served;

before(async () => {
  repository = new GitRepository();
  repository.write("a.txt", "a\n").write("run.sh", "#!/bin/sh\n").write("dir/b.txt", "b\n");
  chmodSync(join(repository.path, "run.sh"), 0o755);
  repository.commit("one");
  repository.git("branch", "side");
  repository.git("branch", "guarded");
  served = await serve(repository.path, {
    writable: true,
    repositories: [{ owner: "octo", name: "demo", path: repository.path, protectedBranches: ["guarded"] }],
  });
});

after(async () => {
  await served.host.close();
  repository.remove();
});

const put = (path: string, body: Record<string, unknown>) =>
  served.put("PUT", `/contents/${path}`, { message: "m", content: base64("new\n"), ...body });

test("a new file is 201, a change with its sha is 200, and the clone's files follow", async () => {
  const head = repository.git("rev-parse", "HEAD");
  const made = await put("new/file%20one.txt", { message: "made" });
  assert.equal(made.status, 201);
  const { content, commit } = parsed<Written>(made);
  const blob = repository.git("rev-parse", "HEAD:new/file one.txt");
  assert.deepEqual(
    [content.path, content.sha, content.size, content.type],
    ["new/file one.txt", blob, 4, "file"],
  );
  assert.deepEqual([commit.sha, commit.message], [repository.git("rev-parse", "HEAD"), "made"]);
  assert.deepEqual(
    commit.parents.map(({ sha }) => sha),
    [head],
  );
  const changed = await put("new/file%20one.txt", { content: base64("newer\n"), sha: blob });
  assert.equal(changed.status, 200);
  assert.equal(repository.git("show", "HEAD:new/file one.txt"), "newer");
  assert.equal(repository.git("status", "--porcelain"), "");
  const script = repository.git("rev-parse", "HEAD:run.sh");
  assert.equal((await put("run.sh", { sha: script })).status, 200);
  assert.match(repository.git("ls-tree", "HEAD", "run.sh"), /^100755 blob /);
  assert.equal(repository.git("fsck", "--strict", "--no-dangling"), "");
});

test("sha: missing, stale, of something else; without meaning for a new file", async () => {
  assert.deepEqual(errorOf(await put("a.txt", {})), [422, 'Invalid request.\n\n"sha" wasn\'t supplied.']);
  for (const sha of [NOPE, "deadbeef"]) {
    assert.deepEqual(errorOf(await put("a.txt", { sha })), [409, `a.txt does not match ${sha}`]);
  }
  assert.equal((await put("fresh.txt", { sha: NOPE })).status, 201);
  assert.equal((await put("dir", { sha: repository.git("rev-parse", "HEAD:dir") })).status, 422);
});

test("a branch by name; one that is not there is 404 before all else", async () => {
  const head = repository.git("rev-parse", "main");
  assert.equal((await put("side.txt", { branch: "side" })).status, 201);
  assert.equal(repository.git("show", "side:side.txt"), "new");
  assert.equal(repository.git("rev-parse", "main"), head);
  assert.deepEqual(errorOf(await put("a.txt", { branch: "nope", sha: NOPE })), [
    404,
    "Branch nope not found",
  ]);
});

test("what is refused: paths, content, members, protected branches", async () => {
  assert.deepEqual(errorOf(await put("a/../b", {})), [422, "path contains a malformed path component"]);
  assert.deepEqual(errorOf(await put(".git/config", {})), [422, "path contains a malformed path component"]);
  assert.deepEqual(errorOf(await put("x", { content: "%" })), [422, "content is not valid Base64"]);
  assert.deepEqual(errorOf(await served.put("PUT", "/contents/x", { content: "" })), [
    422,
    'Invalid request.\n\n"message" wasn\'t supplied.',
  ]);
  const [status, message] = errorOf(await put("x", { branch: "guarded" }));
  assert.deepEqual(
    [status, message],
    [409, "Repository rule violations found\n\nChanges must be made through a pull request.\n\n"],
  );
});

test("many at once on one branch: each is told, and what was told to be made is there", async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) => put(`many/${n}.txt`, { branch: "side" })),
  );
  const made = replies.flatMap((reply, n) => (reply.status === 201 ? [`many/${n}.txt`] : []));
  assert.ok(made.length >= 1);
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    const [status, message] = errorOf(reply);
    assert.equal(status, 409);
    assert.match(message, /^is at [0-9a-f]{40} but expected [0-9a-f]{40}$/);
  }
  assert.equal(repository.git("ls-tree", "-r", "--name-only", "side", "many/"), made.join("\n"));
});

test("the first commit of an empty repository, bare or with a work tree", async () => {
  for (const options of [[], ["--bare"]]) {
    const empty = new GitRepository("empty");
    empty.git("init", "--quiet", "--initial-branch=main", ...options, "inner");
    const own = await serve(join(empty.path, "inner"), { writable: true });
    try {
      const reply = await own.put("PUT", "/contents/dir/README.md", {
        message: "first",
        content: base64("hello\n"),
      });
      assert.equal(reply.status, 201);
      assert.deepEqual(parsed<Written>(reply).commit.parents, []);
      assert.equal(empty.git("-C", "inner", "log", "--format=%s", "main"), "first");
      assert.equal(empty.git("-C", "inner", "show", "main:dir/README.md"), "hello");
      if (options.length === 0) assert.equal(empty.git("-C", "inner", "status", "--porcelain"), "");
      assert.equal((await own.put("POST", "/git/blobs", { content: "now it can" })).status, 201);
    } finally {
      await own.host.close();
      empty.remove();
    }
  }
});
