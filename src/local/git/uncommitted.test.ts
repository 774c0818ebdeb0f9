// What is named as uncommitted, against `git status` of the owner; and how it is worded.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { GitRepository as TestRepository } from "../../../test/repositories/git.ts";
import { createView } from "./environment.ts";
import { GitRepository } from "./repository.ts";
import { uncommittedIn, uncommittedWords } from "./uncommitted.ts";

const MAIN = "refs/heads/main";

const origin = new TestRepository("uncommitted");
const view = await createView();
origin.write("README.md", "read\n").write("a b.txt", "a\n").write("ä.txt", "u\n").write("z.txt", "z\n");
origin.commit("one");
origin.git("branch", "aside");
const git = await GitRepository.open(origin.path, view);

after(async () => {
  git.close();
  await view.remove();
  origin.remove();
});

test("changed, staged, removed and new in the index; not what is untracked, nor of another branch", async () => {
  assert.deepEqual(await uncommittedIn(git, MAIN), []);
  origin.write("untracked.txt", "mine\n");
  assert.deepEqual(await uncommittedIn(git, MAIN), []);
  origin
    .write("README.md", "mine\n")
    .write("a b.txt", "staged\n")
    .write("ä.txt", "mine\n")
    .write("new", "n\n");
  origin.git("add", "a b.txt", "new");
  rmSync(join(origin.path, "z.txt"));
  assert.deepEqual(await uncommittedIn(git, MAIN), ["README.md", "a b.txt", "new", "z.txt", "ä.txt"]);
  assert.deepEqual(await uncommittedIn(git, "refs/heads/aside"), []);
  assert.deepEqual(await uncommittedIn(git, "refs/heads/nowhere"), []);
});

test("in a linked work tree: that one's, and the clone's own stays its own", async () => {
  const linked = join(origin.path, "../linked");
  origin.git("worktree", "add", "--quiet", linked, "aside");
  origin.write("../linked/z.txt", "mine\n");
  assert.deepEqual(await uncommittedIn(git, "refs/heads/aside"), ["z.txt"]);
  origin.git("reset", "--quiet", "--hard");
  assert.deepEqual(await uncommittedIn(git, MAIN), []);
});

test("looking changes nothing in the clone", async () => {
  const before = origin.git("rev-parse", "HEAD", "aside") + origin.bytes("ls-files", "--debug").toString();
  await uncommittedIn(git, MAIN);
  const now = origin.git("rev-parse", "HEAD", "aside") + origin.bytes("ls-files", "--debug").toString();
  assert.equal(now, before);
});

test("one is named, the others counted; what cannot be shown is counted too", () => {
  const words = (where: string) => `the clone has uncommitted changes in ${where}: commit or stash them`;
  assert.equal(uncommittedWords([]), null);
  assert.equal(uncommittedWords(["README.md"]), words("README.md"));
  assert.equal(uncommittedWords(["README.md", "a", "b"]), words("README.md and 2 more"));
  assert.equal(uncommittedWords(["a\nb", "README.md"]), words("README.md and 1 more"));
  assert.equal(uncommittedWords(["a\nb"]), words("1 file"));
  assert.equal(uncommittedWords(["x".repeat(201), "\u202ea"]), words("2 files"));
});
