// Objects that the host makes, held to what git itself makes of the same.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { GitRepository as TestRepository } from "../../../test/repositories/git.ts";
import { commitText } from "./commit-text.ts";
import { editTree, ImpossibleChange, type TreeChange } from "./edited-tree.ts";
import { createView, type View } from "./environment.ts";
import { GitRepository } from "./repository.ts";
import { isTreePath } from "./tree-names.ts";

const EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

let origin: TestRepository;
let view: View;
let git: GitRepository;
let head: string;
let tree: string;

before(async () => {
  origin = new TestRepository("writer");
  origin.write("a/b/c.txt", "c\n").write("a/d.txt", "d\n").write("e.txt", "e\n");
  head = origin.commit("one");
  tree = origin.git("rev-parse", "HEAD^{tree}");
  view = await createView();
  git = await GitRepository.open(origin.path, view);
});

after(async () => {
  git.close();
  await view.remove();
  origin.remove();
});

/** How many loose objects the clone holds. */
const objectsInClone = (): number => Number(origin.git("count-objects").split(" ")[0]);

test("a hundred blobs at once are what git makes of them, and the clone gets none", async () => {
  const before = objectsInClone();
  const contents = Array.from({ length: 100 }, (_, index) => Buffer.from(`${"\0\n\r".repeat(index)}x`));
  const shas = await Promise.all(contents.map((content) => git.writer.blob(content)));
  const list = contents.map((_, index) => `file-${index}`);
  contents.forEach((content, index) => {
    origin.write(`.git/${list[index]}`, content);
  });
  const expected = origin.feed(list.map((name) => `.git/${name}\n`).join(""), "hash-object", "--stdin-paths");
  assert.deepEqual(shas, expected.split("\n"));
  assert.deepEqual((await git.object(shas[9] ?? ""))?.content, contents[9]);
  assert.equal(objectsInClone(), before);
  assert.equal(await git.writer.blob(Buffer.alloc(0)), EMPTY_BLOB);
});

test("a tree over another: set, taken away, folders that appear and vanish", async () => {
  const blob = await git.writer.blob(Buffer.from("new\n"));
  const edited = await editTree(git, tree, [
    { path: "a/b/c.txt", mode: "100644", sha: null },
    { path: "x/y/z.sh", mode: "100755", sha: blob },
    { path: "link", mode: "120000", sha: blob },
    { path: "module", mode: "160000", sha: head },
  ]);
  const { stdout } = await git.run(["ls-tree", "-r", "-t", edited]);
  const sha = (name: string): string => origin.git("rev-parse", `HEAD:${name}`);
  assert.deepEqual(
    stdout
      .toString()
      .split("\n")
      .filter((line) => !/ tree /.test(line)),
    [
      `100644 blob ${sha("a/d.txt")}\ta/d.txt`,
      `100644 blob ${sha("e.txt")}\te.txt`,
      `120000 blob ${blob}\tlink`,
      `160000 commit ${head}\tmodule`,
      `100755 blob ${blob}\tx/y/z.sh`,
      "",
    ],
  );
  assert.doesNotMatch(stdout.toString(), /\ta\/b$/m);
  const all = ["a/b/c.txt", "a/d.txt", "e.txt"].map((path) => ({ path, mode: "100644", sha: null }));
  assert.equal(await editTree(git, tree, all), EMPTY_TREE);
  assert.equal(await editTree(git, tree, []), tree);
});

test("what is not there cannot be taken away", async () => {
  for (const path of ["nope", "a/nope", "nope/nope", "e.txt/nope", "a/b/c.txt/nope"]) {
    await assert.rejects(editTree(git, tree, [{ path, mode: "100644", sha: null }]), ImpossibleChange, path);
  }
});

test("any changes make the tree that git's index makes of them", async () => {
  const blobs = await Promise.all(["1", "2", "3"].map((text) => git.writer.blob(Buffer.from(text))));
  for (const text of ["1", "2", "3"]) origin.feed(text, "hash-object", "-w", "--stdin");
  const name = fc.constantFrom("a", "b", "a-b", "a0", "a.b", "é");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
  const change = fc.record({
    path,
    mode: fc.constantFrom("100644", "100755", "120000"),
    sha: fc.constantFrom(...blobs),
  });
  // git's index refuses a path below another one, so neither is asked for that.
  const apart = (changes: TreeChange[]): boolean =>
    changes.every((one) => changes.every((other) => !other.path.startsWith(`${one.path}/`)));
  const changes = fc
    .uniqueArray(change, { selector: (one) => one.path, minLength: 1, maxLength: 8 })
    .filter(apart);
  await fc.assert(
    fc.asyncProperty(changes, async (wanted) => {
      const lines = wanted.map(({ mode, sha, path }) => `${mode} ${sha}\t${path}\0`).join("");
      const index = `GIT_INDEX_FILE=.git/other git`;
      origin.write(".git/lines", lines);
      const expected = origin
        .shell(`rm -f .git/other; ${index} update-index -z --index-info <.git/lines && ${index} write-tree`)
        .toString()
        .trim();
      assert.equal(await editTree(git, null, wanted), expected);
    }),
    { numRuns: 20 },
  );
});

test("a commit keeps its message to the byte, its zones, and names as git cleans them", async () => {
  const author = {
    name: " Ada <Lovelace>.",
    email: "ada@example.com",
    seconds: 1_700_000_000,
    zone: "+0530",
  };
  const committer = { name: "Bob", email: "bob@example.com", seconds: 1_700_000_001, zone: "-0800" };
  for (const message of ["no newline", "ended\n", "", "é\n\n\nmany\n\n"]) {
    const sha = await git.writer.commit(commitText({ tree, parents: [head], author, committer, message }));
    assert.equal(
      (await git.object(sha))?.content.toString(),
      `tree ${tree}\nparent ${head}\nauthor Ada Lovelace <ada@example.com> 1700000000 +0530\ncommitter Bob <bob@example.com> 1700000001 -0800\n\n${message}`,
    );
    const { stdout } = await git.run(["fsck", "--strict", "--no-dangling", sha]);
    assert.equal(stdout.toString(), "");
  }
});

test("a malformed object is refused by git, and those behind it are made", async () => {
  const author = { name: "Ada", email: "ada@example.com", seconds: 1, zone: "+0000" };
  const text = commitText({ tree, parents: [], author, committer: author, message: "" });
  const made = await Promise.allSettled([
    git.writer.commit(Buffer.from("no commit")),
    git.writer.commit(text),
    git.writer.tree([{ mode: "100644", name: Buffer.from("x"), sha: "1".repeat(40) }]),
    git.writer.tree([]),
  ]);
  assert.deepEqual(
    made.map((one) => (one.status === "fulfilled" ? one.value : one.reason.message.split(":")[0])),
    [
      "git hash-object ended",
      origin.feed(text, "hash-object", "-t", "commit", "--stdin"),
      "git mktree ended",
      EMPTY_TREE,
    ],
  );
  const store = readdirSync(view.directory).find((name) => name.startsWith("store-")) ?? "";
  assert.deepEqual(readdirSync(join(view.directory, store, "incoming")), []);
});

test("paths that a tree may not have: what git fsck calls an error", () => {
  const refused = [
    "",
    "/a",
    "a/",
    "a//b",
    ".",
    "a/..",
    ".git",
    "a/.GIT/b",
    ".git ",
    ".git.",
    "git~1",
    ".g\u200cit",
    "a\\.git\\b",
    ".git:stream",
    "a\0b",
  ];
  for (const path of refused) assert.equal(isTreePath(path), false, JSON.stringify(path));
  for (const path of ["a", "a/b", ".github/x", ".gitignore", "git~2", "...", " ", "a b/ü"]) {
    assert.equal(isTreePath(path), true, path);
  }
});
