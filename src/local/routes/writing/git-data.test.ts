// Blobs, trees and commits through the API, held to the real git in the clone once a ref leads to them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GitRepository } from "../../../../test/repositories/git.ts";
import { parsed } from "../../testing/client.ts";
import { errorOf, type Served, serve } from "../../testing/served.ts";

const NOW = Date.UTC(2026, 5, 1, 12, 0, 0);
const NOPE = "1".repeat(40);

interface Tree {
  sha: string;
  tree: { path: string; mode: string; type: string; sha: string; size?: number }[];
}

let repository: GitRepository;
let served: Served;
let head: string;
let tree: string;

before(async () => {
  repository = new GitRepository();
  head = repository.write("a.txt", "a\n").write("dir/b.txt", "b\n").write("dir/c.txt", "c\n").commit("one");
  tree = repository.git("rev-parse", "HEAD^{tree}");
  served = await serve(repository.path, { writable: true, now: () => NOW });
});

after(async () => {
  await served.host.close();
  repository.remove();
});

const entry = (path: string, more: Record<string, unknown>) => ({
  path,
  mode: "100644",
  type: "blob",
  ...more,
});
const treeOf = (entries: unknown[], base: string | null = head) =>
  served.made<Tree>("POST", "/git/trees", { ...(base !== null && { base_tree: base }), tree: entries });

test("blobs of text and Base64, told by id and address alone", async () => {
  const reply = await served.put("POST", "/git/blobs", { content: "hé\n" });
  const sha = repository.feed("hé\n", "hash-object", "--stdin");
  const url = `${served.host.url}/repos/octo/demo/git/blobs/${sha}`;
  assert.equal(reply.status, 201);
  assert.deepEqual(parsed(reply), { sha, url });
  assert.equal(reply.headers.location, url);
  assert.equal(reply.headers["x-accepted-github-permissions"], "contents=write");
  const bytes = Buffer.from([0, 255, 10, 13, 10]);
  const wrapped = `${bytes.toString("base64").slice(0, 4)}\n${bytes.toString("base64").slice(4)}\n`;
  const binary = await served.made<{ sha: string }>("POST", "/git/blobs", {
    content: wrapped,
    encoding: "base64",
  });
  assert.equal(binary.sha, repository.feed(bytes, "hash-object", "--stdin"));
  const read = await served.get(`/git/blobs/${binary.sha}`, { accept: "application/vnd.github.raw" });
  assert.deepEqual(read.body, bytes);
});

test("blobs that cannot be: no content, no Base64, no such encoding, no JSON", async () => {
  const cases: [unknown, number, string][] = [
    [{}, 422, 'Invalid request.\n\n"content" wasn\'t supplied.'],
    [{ content: 5 }, 422, "Invalid request.\n\nFor 'properties/content', 5 is not a string."],
    [{ content: null }, 422, "Invalid request.\n\nFor 'properties/content', nil is not a string."],
    [{ content: "a", encoding: "base64" }, 422, "content is not valid Base64"],
    ["{", 400, "Problems parsing JSON"],
    [[], 400, "Body should be a JSON object"],
  ];
  for (const [body, status, message] of cases) {
    assert.deepEqual(errorOf(await served.put("POST", "/git/blobs", body)), [status, message]);
  }
  assert.equal((await served.put("POST", "/git/blobs", { content: "a", encoding: "utf-16" })).status, 422);
});

test("a tree over a commit or a tree: inline content, an object, a deletion; the top level is shown", async () => {
  const entries = [
    entry("new/x.sh", { mode: "100755", content: "x\n" }),
    entry("dir/b.txt", { sha: null }),
    entry("copy.txt", { sha: repository.git("rev-parse", "HEAD:a.txt") }),
    entry("sub", { mode: "040000", type: "tree", sha: repository.git("rev-parse", "HEAD:dir") }),
  ];
  const made = await treeOf(entries);
  assert.deepEqual(await treeOf(entries, tree), made);
  assert.deepEqual(
    made.tree.map(({ path, mode, type, size }) => [path, mode, type, size]),
    [
      ["a.txt", "100644", "blob", 2],
      ["copy.txt", "100644", "blob", 2],
      ["dir", "040000", "tree", undefined],
      ["new", "040000", "tree", undefined],
      ["sub", "040000", "tree", undefined],
    ],
  );
  const whole = await served.json<Tree>(`/git/trees/${made.sha}?recursive=1`);
  assert.deepEqual(
    whole.tree.flatMap(({ path, mode, type }) => (type === "blob" ? [`${mode} ${path}`] : [])),
    [
      "100644 a.txt",
      "100644 copy.txt",
      "100644 dir/c.txt",
      "100755 new/x.sh",
      "100644 sub/b.txt",
      "100644 sub/c.txt",
    ],
  );
  const alone = await treeOf([entry("only.txt", { content: "" })], null);
  assert.deepEqual(
    alone.tree.map(({ path, size }) => [path, size]),
    [["only.txt", 0]],
  );
});

test("trees that cannot be, in GitHub's words", async () => {
  const blob = repository.git("rev-parse", "HEAD:a.txt");
  const both = "Must supply either tree.sha or tree.content. Request will be rejected if both are present.";
  const malformed = "tree.path contains a malformed path component";
  const cases: [unknown[], string][] = [
    [[], "Invalid tree info"],
    [[entry("nope.txt", { sha: null })], "GitRPC::BadObjectState"],
    [[entry("dir/nope.txt", { sha: null })], "GitRPC::BadObjectState"],
    [[entry("x", { sha: NOPE })], `tree.sha ${NOPE} is not a valid blob`],
    [[entry("x", { sha: "short" })], "tree.sha short is not a valid blob"],
    [[entry("x", { sha: tree })], `tree.sha ${tree} is not a valid blob`],
    [[entry("x", { mode: "040000", sha: blob })], `tree.sha ${blob} is not a valid tree`],
    [[entry("x", {})], both],
    [[entry("x", { sha: blob, content: "x" })], both],
    [[entry("x", { mode: "100664", sha: blob })], "Must supply a valid tree.mode"],
    [[entry("x", { mode: "040000", content: "x" })], "Must supply a valid tree.mode"],
    [[entry("../x", { content: "x" })], malformed],
    [[entry("/x", { content: "x" })], malformed],
    [[entry("a/.git/config", { content: "x" })], malformed],
    [[entry(".gitmodules", { mode: "120000", content: "x" })], malformed],
    [[{ mode: "100644", content: "x" }], "Must supply a valid tree.path"],
  ];
  for (const [entries, message] of cases) {
    const reply = await served.put("POST", "/git/trees", { base_tree: head, tree: entries });
    assert.deepEqual(errorOf(reply), [422, message]);
  }
  const bad = { base_tree: NOPE, tree: [entry("x", { content: "x" })] };
  assert.deepEqual(errorOf(await served.put("POST", "/git/trees", bad)), [
    422,
    "base_tree is not a valid tree oid",
  ]);
});

test("a commit: verbatim message, the token's user at the host's time, what is shown of it", async () => {
  const body = { message: "subject\n\nbody\n\n", tree, parents: [head] };
  const reply = await served.put("POST", "/git/commits", body);
  assert.equal(reply.status, 201);
  const commit = parsed<{ sha: string; message: string; author: unknown; parents: { sha: string }[] }>(reply);
  assert.equal(reply.headers.location, `${served.host.url}/repos/octo/demo/git/commits/${commit.sha}`);
  const email = `${/^\d+/.exec(String((commit.author as { email: string }).email))}+octocat@users.noreply.github.com`;
  assert.deepEqual(commit.author, { name: "octocat", email, date: "2026-06-01T12:00:00Z" });
  assert.equal(commit.message, "subject\n\nbody\n");
  await served.made("POST", "/git/refs", { ref: "refs/heads/verbatim", sha: commit.sha });
  assert.equal(
    repository.bytes("cat-file", "commit", commit.sha).toString(),
    `tree ${tree}\nparent ${head}\nauthor octocat <${email}> ${NOW / 1000} +0000\ncommitter octocat <${email}> ${NOW / 1000} +0000\n\nsubject\n\nbody\n\n`,
  );
});

test("author, committer and their zones as given; the author commits where nobody else is named", async () => {
  const author = { name: "Ada", email: "ada@example.com", date: "2020-02-03T04:05:06+02:00" };
  const committer = { name: "Bob", email: "bob@example.com", date: "2020-02-03T04:05:06Z" };
  const lines = async (more: unknown): Promise<string> => {
    const body = { message: "m", tree, parents: [], ...(more as object) };
    const { sha } = await served.made<{ sha: string }>("POST", "/git/commits", body);
    await served.made("POST", "/git/refs", { ref: `refs/tags/${sha.slice(0, 8)}`, sha });
    return repository.git("show", "-s", "--format=%an %ae %at %ad|%cn %ce %ct", "--date=format:%z", sha);
  };
  const seconds = Date.UTC(2020, 1, 3, 2, 5, 6) / 1000;
  assert.equal(
    await lines({ author, committer }),
    `Ada ada@example.com ${seconds} +0200|Bob bob@example.com ${seconds + 7200}`,
  );
  assert.equal(
    await lines({ author }),
    `Ada ada@example.com ${seconds} +0200|Ada ada@example.com ${seconds}`,
  );
});

test("commits that cannot be", async () => {
  const cases: [unknown, string][] = [
    [{ tree }, 'Invalid request.\n\n"message" wasn\'t supplied.'],
    [{ message: "m" }, 'Invalid request.\n\n"tree" wasn\'t supplied.'],
    [{ message: "m", tree: NOPE }, "Tree SHA does not exist"],
    [{ message: "m", tree: head }, "Tree SHA does not exist"],
    [{ message: "m", tree, parents: [NOPE] }, "Parent SHA does not exist or is not a commit object"],
    [{ message: "m", tree, parents: [tree] }, "Parent SHA does not exist or is not a commit object"],
    [
      { message: "m", tree, parents: "x" },
      `Invalid request.\n\nFor 'properties/parents', "x" is not an array.`,
    ],
    [{ message: "m", tree, author: { name: "Ada" } }, 'Invalid request.\n\n"email" wasn\'t supplied.'],
    [{ message: "m", tree, author: { name: "<>", email: "a@b" } }, "Validation Failed"],
    [{ message: "m", tree, author: { name: "Ada", email: "a@b", date: "then" } }, "Validation Failed"],
  ];
  for (const [body, message] of cases) {
    assert.deepEqual(errorOf(await served.put("POST", "/git/commits", body)), [422, message]);
  }
});

test("a hundred files in one tree, one commit and one move; git has nothing to say against it", async () => {
  const entries = Array.from({ length: 100 }, (_, n) =>
    entry(`d${n % 10}/e${n % 3}/${n}.txt`, { content: `${n}\n` }),
  );
  const { sha } = await treeOf(entries);
  const commit = await served.made<{ sha: string }>("POST", "/git/commits", {
    message: "hundred",
    tree: sha,
    parents: [head],
  });
  assert.throws(() => repository.git("cat-file", "-e", commit.sha), /Command failed/);
  await served.made("PATCH", "/git/refs/heads/main", { sha: commit.sha });
  assert.match(
    repository.git("show", "--stat", "--format=%s", "main"),
    /^hundred\n[\s\S]* 100 files changed, 100 insertions\(\+\)$/,
  );
  assert.equal(repository.git("fsck", "--strict", "--no-dangling"), "");
  assert.equal(repository.git("status", "--porcelain"), "");
  assert.equal((await served.json<{ size: number }>("/contents/d9/e0/99.txt")).size, 3);
});

test("git data of an empty repository: 409 whatever is asked", async () => {
  const empty = new GitRepository("empty");
  const own = await serve(empty.path, { writable: true });
  try {
    const asked: [string, string, unknown][] = [
      ["POST", "/git/blobs", { content: "a" }],
      ["POST", "/git/trees", { tree: [entry("x", { content: "x" })] }],
      ["POST", "/git/commits", { message: "m", tree: NOPE }],
      ["POST", "/git/refs", { ref: "refs/heads/main", sha: NOPE }],
      ["PATCH", "/git/refs/heads/main", { sha: NOPE }],
      ["DELETE", "/git/refs/heads/main", undefined],
    ];
    for (const [method, path, body] of asked) {
      assert.deepEqual(errorOf(await own.put(method, path, body)), [409, "Git Repository is empty."], path);
    }
  } finally {
    await own.host.close();
    empty.remove();
  }
});
