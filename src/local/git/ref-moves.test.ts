// Moving refs of a served clone: compare and swap, what comes along, and never a file that somebody works on.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { GitRepository as TestRepository } from "../../../test/repositories/git.ts";
import { commitText } from "./commit-text.ts";
import { editTree } from "./edited-tree.ts";
import { createView } from "./environment.ts";
import { moveRefs } from "./ref-moves.ts";
import { GitRepository } from "./repository.ts";

const MAIN = "refs/heads/main";

interface Opened {
  origin: TestRepository;
  git: GitRepository;
  /** Where main stood at first. */
  first: string;
  /** Makes a commit that sets one file, in the host's store. */
  commit(parent: string, path: string, content: string): Promise<string>;
  /** git in the served clone. */
  at(...args: string[]): string;
}

/** A clone of two files, opened as made by `how` (itself by default). */
async function opened(run: (opened: Opened) => Promise<void>, how?: (origin: TestRepository) => string) {
  const origin = new TestRepository("moves");
  origin.write("a.txt", "a\n").write("b.txt", "b\n").commit("zero");
  const first = origin.write("c.txt", "c\n").commit("one");
  const path = how?.(origin) ?? origin.path;
  const view = await createView();
  const git = await GitRepository.open(path, view);
  const author = { name: "Ada", email: "ada@example.com", seconds: 1_700_000_000, zone: "+0000" };
  try {
    await run({
      origin,
      git,
      first,
      async commit(parent, file, content) {
        const sha = await git.writer.blob(Buffer.from(content));
        const base = (await git.commit(parent))?.tree ?? null;
        const tree = await editTree(git, base, [{ path: file, mode: "100644", sha }]);
        const text = { tree, parents: [parent], author, committer: author, message: file };
        return await git.writer.commit(commitText(text));
      },
      at: (...args) => origin.git("-C", path, ...args),
    });
  } finally {
    git.close();
    await view.remove();
    origin.remove();
  }
}

const beside = (origin: TestRepository, name: string): string => join(dirname(origin.path), name);

function bare(origin: TestRepository): string {
  origin.git("clone", "--quiet", "--bare", origin.path, beside(origin, "bare.git"));
  return beside(origin, "bare.git");
}

const refused = (words: string) => ({ status: "refused", words, workTree: true });

test("of fifty that move a branch at once one does, and each loser can tell", async () => {
  await opened(async ({ git, first, commit, at }) => {
    const commits = await Promise.all(
      Array.from({ length: 50 }, (_, index) => commit(first, `f${index}.txt`, String(index))),
    );
    const outcomes = await Promise.all(commits.map((to) => moveRefs(git, [{ name: MAIN, from: first, to }])));
    const won = outcomes.flatMap(({ status }, index) => (status === "moved" ? [commits[index]] : []));
    assert.equal(won.length, 1);
    assert.equal(outcomes.filter(({ status }) => status === "raced").length, 49);
    assert.equal(at("rev-parse", MAIN), won[0]);
    assert.equal(at("fsck", "--strict", "--no-dangling"), "");
    assert.equal(at("log", "--format=%s", MAIN).split("\n").length, 3);
  }, bare);
});

test("several refs move together or not at all", async () => {
  for (const how of [bare, undefined]) {
    await opened(async ({ git, first, commit, at }) => {
      const next = await commit(first, "x.txt", "x\n");
      const both = [
        { name: "refs/heads/x", from: null, to: next },
        { name: "refs/tags/t", from: null, to: next },
      ];
      const stale = { name: MAIN, from: next, to: next };
      assert.deepEqual(await moveRefs(git, [...both, stale]), { status: "raced" });
      assert.equal(at("for-each-ref", "--format=%(refname)"), MAIN);
      assert.deepEqual(await moveRefs(git, both), { status: "moved" });
      assert.equal(at("rev-parse", "refs/heads/x", "refs/tags/t"), `${next}\n${next}`);
      const away = both.map(({ name, to }) => ({ name, from: to, to: null }));
      assert.deepEqual(await moveRefs(git, away), { status: "moved" });
      assert.equal(at("for-each-ref", "--format=%(refname)"), MAIN);
      // A name below a branch that is there: git's own refusal.
      const below = await moveRefs(git, [{ name: `${MAIN}/below`, from: null, to: next }]);
      assert.equal(below.status, "refused");
      assert.equal(at("fsck", "--strict", "--no-dangling"), "");
    }, how);
  }
});

test("only what is new comes over, and nothing before a ref moves", async () => {
  await opened(async ({ git, first, commit, at }) => {
    const count = (): number => Number(at("count-objects", "-v").match(/^count: (\d+)$/m)?.[1]);
    const before = count();
    const next = await commit(first, "deep/x.txt", "x\n");
    assert.equal(count(), before);
    await moveRefs(git, [{ name: MAIN, from: first, to: next }]);
    assert.equal(count(), before + 4);
    assert.equal(
      at("show", "--stat", "--format=%s", MAIN),
      "deep/x.txt\n\n deep/x.txt | 1 +\n 1 file changed, 1 insertion(+)",
    );
    // Back to where it was, without force of any kind: a move is from one place to another.
    assert.deepEqual(await moveRefs(git, [{ name: MAIN, from: next, to: first }]), { status: "moved" });
    assert.equal(at("rev-parse", MAIN), first);
  }, bare);
});

test("a clean work tree follows its branch, and other branches leave it alone", async () => {
  await opened(async ({ origin, git, first, commit, at }) => {
    const next = await commit(first, "a.txt", "changed\n");
    assert.deepEqual(await moveRefs(git, [{ name: "refs/heads/x", from: null, to: next }]), {
      status: "moved",
    });
    assert.equal(readFileSync(join(origin.path, "a.txt"), "utf8"), "a\n");
    writeFileSync(join(origin.path, "untracked.txt"), "mine\n");
    assert.deepEqual(await moveRefs(git, [{ name: MAIN, from: first, to: next }]), { status: "moved" });
    assert.equal(readFileSync(join(origin.path, "a.txt"), "utf8"), "changed\n");
    assert.equal(at("status", "--porcelain"), "?? untracked.txt");
    assert.equal(at("symbolic-ref", "HEAD"), MAIN);
  });
});

test("uncommitted work is never touched: changed, staged, untracked and in the way", async () => {
  await opened(async ({ origin, git, first, commit, at }) => {
    const next = await commit(first, "new.txt", "theirs\n");
    const move = () => moveRefs(git, [{ name: MAIN, from: first, to: next }]);
    origin.write("b.txt", "mine\n");
    assert.deepEqual(await move(), refused("Working directory has unstaged changes"));
    at("add", "b.txt");
    assert.deepEqual(await move(), refused("Working directory has staged changes"));
    assert.equal(at("diff", "--cached", "--name-only"), "b.txt");
    at("reset", "--quiet", "--hard");
    origin.write("new.txt", "mine\n");
    assert.deepEqual(await move(), refused("Could not update working tree to new HEAD"));
    assert.equal(readFileSync(join(origin.path, "new.txt"), "utf8"), "mine\n");
    assert.equal(at("rev-parse", MAIN), first);
    assert.equal(at("status", "--porcelain"), "?? new.txt");
    // What is not checked out moves all the same.
    assert.deepEqual(await moveRefs(git, [{ name: "refs/heads/x", from: null, to: next }]), {
      status: "moved",
    });
  });
});

test("linked work trees, also of a bare clone, follow and are guarded alike", async () => {
  const linked = (origin: TestRepository): string => {
    const path = bare(origin);
    origin.git("-C", path, "worktree", "add", "--quiet", beside(origin, "linked"), "main");
    return path;
  };
  await opened(async ({ origin, git, first, commit, at }) => {
    const folder = beside(origin, "linked");
    const next = await commit(first, "a.txt", "changed\n");
    assert.deepEqual(await moveRefs(git, [{ name: MAIN, from: first, to: next }]), { status: "moved" });
    assert.equal(readFileSync(join(folder, "a.txt"), "utf8"), "changed\n");
    writeFileSync(join(folder, "b.txt"), "mine\n");
    const another = await commit(next, "c.txt", "changed\n");
    const outcome = await moveRefs(git, [{ name: MAIN, from: next, to: another }]);
    assert.deepEqual(outcome, refused("Working directory has unstaged changes"));
    assert.equal(readFileSync(join(folder, "b.txt"), "utf8"), "mine\n");
    assert.equal(at("rev-parse", MAIN), next);
  }, linked);
});

test("hooks and settings of the clone do not run or forbid", async () => {
  await opened(async ({ origin, git, first, commit, at }) => {
    const trap = join(dirname(origin.path), "ran");
    for (const hook of [
      "pre-receive",
      "update",
      "post-receive",
      "push-to-checkout",
      "reference-transaction",
    ]) {
      writeFileSync(join(origin.path, ".git/hooks", hook), `#!/bin/sh\ntouch ${trap}\nexit 1\n`, {
        mode: 0o755,
      });
    }
    at("config", "receive.denyCurrentBranch", "refuse");
    at("config", "receive.denyNonFastForwards", "true");
    at("config", "core.fsmonitor", `touch ${trap}`);
    const next = await commit(first, "a.txt", "changed\n");
    assert.deepEqual(await moveRefs(git, [{ name: MAIN, from: first, to: next }]), { status: "moved" });
    const parent = at("rev-parse", "main~2");
    assert.deepEqual(await moveRefs(git, [{ name: MAIN, from: next, to: parent }]), { status: "moved" });
    assert.equal(existsSync(trap), false);
    at("config", "--unset", "core.fsmonitor");
    assert.equal(at("status", "--porcelain"), "");
  });
});

test("shallow clones and clones that borrow objects take commits too", async () => {
  const shallow = (origin: TestRepository): string => {
    origin.git("clone", "--quiet", "--depth=1", `file://${origin.path}`, beside(origin, "shallow"));
    return beside(origin, "shallow");
  };
  const borrowing = (origin: TestRepository): string => {
    origin.git("clone", "--quiet", "--shared", "--bare", origin.path, beside(origin, "shared.git"));
    writeFileSync(
      join(beside(origin, "shared.git"), "objects/info/alternates"),
      "../../moves/.git/objects\n",
    );
    return beside(origin, "shared.git");
  };
  for (const how of [shallow, borrowing]) {
    await opened(async ({ git, first, commit, at }) => {
      const next = await commit(first, "x/y.txt", "x\n");
      assert.deepEqual(await moveRefs(git, [{ name: MAIN, from: first, to: next }]), { status: "moved" });
      assert.equal(at("rev-parse", MAIN), next);
      assert.equal(at("fsck", "--strict", "--no-dangling"), "");
      assert.equal(at("show", `${MAIN}:x/y.txt`), "x");
    }, how);
  }
});
