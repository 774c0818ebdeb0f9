import assert from "node:assert/strict";
import { test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";
import { branchesOf } from "./clone-folder.ts";
import { startLocalHost } from "./host.ts";

test("a repository that follows HEAD answers for where HEAD stands now: another branch, or none", async (t) => {
  const repository = new GitRepository("app");
  const first = repository.write("a.txt", "a\n").commit("first");
  const host = await startLocalHost({
    repositories: [{ owner: "local", name: "app", path: repository.path, followHead: true }],
  });
  t.after(async () => {
    await host.close();
    repository.remove();
  });
  const ask = async (path: string) => {
    const response = await fetch(`${host.url}/repos/local/app${path}`, { headers: { "user-agent": "test" } });
    return (await response.json()) as { sha?: string; default_branch?: string };
  };
  const head = async () => [(await ask("/commits/HEAD")).sha, (await ask("")).default_branch];

  assert.deepEqual(await head(), [first, "main"]);
  repository.git("switch", "--quiet", "--create", "topic/x");
  const second = repository.write("a.txt", "b\n").commit("second");
  assert.deepEqual(await head(), [second, "topic/x"]);
  repository.git("switch", "--quiet", "--detach", first);
  assert.deepEqual(await head(), [first, "HEAD"]);
  assert.deepEqual(branchesOf(repository.path), ["topic/x", "main"]);
});
