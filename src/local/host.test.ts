import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";
import { startLocalHost } from "./host.ts";
import { peculiarRepository } from "./testing/peculiar.ts";
import { errorOf, type Served, serve } from "./testing/served.ts";

const SHA = { accept: "application/vnd.github.sha" };

/** A repository with two commits on `main`; `run` may make other clones of it beside it. */
async function withRepository(
  run: (origin: GitRepository, beside: (name: string) => string) => Promise<void>,
) {
  const origin = new GitRepository("origin");
  try {
    origin.write("a.txt", "a\n").commit("one");
    origin.write("a.txt", "b\n").commit("two");
    await run(origin, (name) => join(dirname(origin.path), name));
  } finally {
    origin.remove();
  }
}

async function serving(path: string, run: (served: Served) => Promise<void>): Promise<void> {
  const served = await serve(path);
  try {
    await run(served);
  } finally {
    await served.host.close();
  }
}

const headOf = async ({ get }: Served): Promise<string> => (await get("/commits/HEAD", SHA)).body.toString();
const branchOf = async ({ json }: Served): Promise<string> =>
  (await json<{ default_branch: string }>("")).default_branch;

test("bare and mirrored clones, git directories, linked work trees, alternates", async () => {
  await withRepository(async (origin, beside) => {
    const head = origin.git("rev-parse", "HEAD");
    origin.git("clone", "--quiet", "--bare", origin.path, beside("bare.git"));
    origin.git("clone", "--quiet", "--mirror", origin.path, beside("mirror.git"));
    origin.git("clone", "--quiet", "--shared", origin.path, beside("shared"));
    origin.git("worktree", "add", "--quiet", "-b", "linked", beside("linked"));
    const cases = [
      [origin.path, "main"],
      [join(origin.path, ".git"), "main"],
      [beside("bare.git"), "main"],
      [beside("mirror.git"), "main"],
      [beside("shared"), "main"],
      [beside("linked"), "linked"],
    ] as const;
    for (const [path, branch] of cases) {
      await serving(path, async (served) => {
        assert.equal(await headOf(served), head, path);
        assert.equal(await branchOf(served), branch, path);
        assert.equal((await served.get("/contents/a.txt")).status, 200, path);
      });
    }
  });
});

test("a shallow clone shows what it has, and the parents it names", async () => {
  await withRepository(async (origin, beside) => {
    origin.git("clone", "--quiet", "--depth=1", `file://${origin.path}`, beside("shallow"));
    const [head, parent] = origin.git("rev-list", "HEAD").split("\n");
    await serving(beside("shallow"), async ({ json, get }) => {
      const list = await json<{ sha: string; parents: { sha: string }[] }[]>("/commits");
      assert.deepEqual(
        list.map(({ sha }) => sha),
        [head],
      );
      assert.equal(list[0]?.parents[0]?.sha, parent);
      assert.equal((await json<{ files: unknown[] }>("/commits/HEAD")).files.length, 1);
      assert.equal((await get(`/commits/${parent}`)).status, 422);
      assert.equal((await get("/compare/HEAD...main")).status, 200);
    });
  });
});

test("a detached HEAD: main is the default branch if there is one, else HEAD is what it stands on", async () => {
  await withRepository(async (origin) => {
    const [head = "", first = ""] = origin.git("rev-list", "HEAD").split("\n");
    origin.git("checkout", "--quiet", "--detach", first);
    await serving(origin.path, async (served) => {
      assert.equal(await branchOf(served), "main");
      assert.equal(await headOf(served), head);
    });
    origin.git("branch", "-D", "main");
    await serving(origin.path, async (served) => {
      assert.equal(await headOf(served), first);
      assert.equal((await served.get("/contents/a.txt")).status, 200);
      assert.deepEqual(await served.json("/branches"), []);
    });
  });
});

test("an empty repository: 409 for git and commits, 404 for contents, and no branches", async () => {
  const empty = new GitRepository("empty");
  try {
    await serving(empty.path, async (served) => {
      assert.equal(await branchOf(served), "main");
      const conflicts = [
        "/commits",
        "/commits/main",
        "/git/ref/heads/main",
        "/git/matching-refs/",
        "/git/refs",
        "/git/trees/main",
        `/git/commits/${"0".repeat(40)}`,
        `/git/blobs/${"0".repeat(40)}`,
      ];
      for (const path of conflicts) {
        assert.deepEqual(errorOf(await served.get(path)), [409, "Git Repository is empty."], path);
      }
      assert.deepEqual(errorOf(await served.get("/contents/a.txt")), [404, "This repository is empty."]);
      assert.deepEqual(errorOf(await served.get("/tarball")), [404, "Not Found"]);
      assert.deepEqual(errorOf(await served.get("/compare/main...main")), [404, "Not Found"]);
      assert.deepEqual(await served.json("/branches"), []);
      assert.deepEqual(await served.json("/tags"), []);
      const first = empty.write("a.txt", "a\n").commit("first");
      assert.equal(await headOf(served), first);
    });
  } finally {
    empty.remove();
  }
});

test("what cannot be served is refused at the start, with the reason", async () => {
  await withRepository(async (origin, beside) => {
    origin.git("init", "--quiet", "--object-format=sha256", beside("sha256"));
    mkdirSync(beside("plain"));
    mkdirSync(join(origin.path, "folder"));
    writeFileSync(beside("file"), "");
    const cases: [string, RegExp][] = [
      [beside("sha256"), /uses the sha256 object format; only SHA-1 repositories can be served/],
      [beside("plain"), /is not a git repository/],
      [join(origin.path, "folder"), /is not a git repository/],
      [beside("file"), /is not a folder/],
      [beside("nowhere"), /is not a folder/],
    ];
    for (const [path, message] of cases) await assert.rejects(serve(path), message);
    const one = { owner: "o", name: "one", path: origin.path };
    await assert.rejects(startLocalHost({ repositories: [one, one] }), /o\/one is served already/);
    const two = { ...one, name: "two" };
    await assert.rejects(startLocalHost({ repositories: [one, two] }), /has the id \d+ of o\/one/);
    await assert.rejects(
      startLocalHost({ repositories: [{ ...one, name: "a/b" }] }),
      /not a repository name/,
    );
  });
});

test("the id follows from the path and stays", async () => {
  await withRepository(async (origin) => {
    const idOnce = async (): Promise<number> => {
      const host = await startLocalHost({ repositories: [{ owner: "o", name: "r", path: origin.path }] });
      const reply = await fetch(`${host.url}/repos/o/r`);
      await host.close();
      return ((await reply.json()) as { id: number }).id;
    };
    const id = await idOnce();
    assert.ok(Number.isInteger(id) && id > 0 && id < 2 ** 31);
    assert.equal(await idOnce(), id);
  });
});

/** Every file with its size and time of change. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { size, mtimeMs, mode } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
      return `${name} ${size} ${mtimeMs} ${mode}`;
    });
}

test("a served clone is never written to, and nothing of its configuration runs", async () => {
  const odd = peculiarRepository();
  const { repository } = odd;
  const trap = join(dirname(repository.path), "ran");
  const touch = `touch ${trap}; false`;
  for (const key of [
    "core.fsmonitor",
    "diff.external",
    "core.pager",
    "filter.shout.smudge",
    "core.sshCommand",
  ]) {
    repository.git("config", key, touch);
  }
  repository.git("config", "diff.shout.textconv", touch);
  repository.git("config", "tar.tar.gz.command", touch);
  for (const hook of ["reference-transaction", "post-index-change"]) {
    writeFileSync(join(repository.path, ".git/hooks", hook), `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
  }
  const before = snapshot(repository.path);
  try {
    await serving(repository.path, async ({ get, ask }) => {
      const paths = [
        "",
        "/commits",
        "/commits/main",
        `/commits/${odd.root}`,
        "/git/trees/main?recursive=1",
        "/contents/",
        "/contents/loud.txt",
        "/git/matching-refs/",
        "/branches",
        "/tags",
        `/compare/${odd.root}...main`,
      ];
      for (const path of paths) assert.equal((await get(path)).status, 200, path);
      const archive = await ask(`/_codeload/octo/demo/legacy.tar.gz/${odd.head}`);
      assert.equal(archive.status, 200);
      assert.ok(archive.body.length > 100);
    });
    assert.deepEqual(snapshot(repository.path), before);
    assert.equal(statSync(trap, { throwIfNoEntry: false }), undefined);
  } finally {
    odd.remove();
  }
});

test("variables of the caller's environment do not reach git", async () => {
  await withRepository(async (origin) => {
    const other = new GitRepository("other");
    other.commit("another");
    const saved = { ...process.env };
    Object.assign(process.env, {
      GIT_DIR: join(other.path, ".git"),
      GIT_WORK_TREE: other.path,
      GIT_OBJECT_DIRECTORY: join(other.path, ".git/objects"),
      GIT_EXTERNAL_DIFF: "false",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.abbrev",
      GIT_CONFIG_VALUE_0: "nonsense",
    });
    try {
      await serving(origin.path, async (served) => {
        assert.equal(await headOf(served), origin.git("rev-parse", "main"));
        assert.equal((await served.get("/commits/main")).status, 200);
      });
    } finally {
      process.env = saved;
      other.remove();
    }
  });
});

test("replace refs change nothing: objects are what their names say", async () => {
  await withRepository(async (origin) => {
    const [head = "", first = ""] = origin.git("rev-list", "HEAD").split("\n");
    origin.git("replace", head, first);
    await serving(origin.path, async ({ json }) => {
      const commit = await json<{ commit: { message: string } }>(`/commits/${head}`);
      assert.equal(commit.commit.message, "two");
    });
  });
});

test("repositories can be added while the host runs", async () => {
  await withRepository(async (origin) => {
    const host = await startLocalHost({ repositories: [] });
    try {
      const ask = async (): Promise<number> =>
        (await fetch(`${host.url}/repos/o/late`, { headers: { "user-agent": "test" } })).status;
      assert.equal(await ask(), 404);
      await host.add({ owner: "o", name: "late", path: origin.path });
      assert.equal(await ask(), 200);
    } finally {
      await host.close();
    }
  });
});
