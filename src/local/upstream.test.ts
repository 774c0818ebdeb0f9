// What `npm start -- --write` sets up: a host that the Worker alone may write to, and the settings that tell the Worker so.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";
import { readConfig } from "../config.ts";
import { GitpinError } from "../errors.ts";
import { registryFile } from "../schema/registry.ts";
import { readStartOptions } from "./start-options.ts";
import { send } from "./testing/client.ts";
import { startUpstream } from "./upstream.ts";

const checkout = join(import.meta.dirname, "../..");

async function started(args: string[], run: (vars: Record<string, string>, url: string) => Promise<void>) {
  const repository = new GitRepository("written");
  repository.write("a.txt", "a\n").commit("one");
  const options = readStartOptions(["--repo", repository.path, ...args], checkout);
  const clones = options.clones.filter(({ path }) => path === repository.path);
  const { vars, host } = await startUpstream({ ...options, clones }, 8787);
  try {
    await run(vars, host?.url ?? "");
  } finally {
    await host?.close();
    repository.remove();
  }
}

const write = async (url: string, token?: string): Promise<number> => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const body = { message: "m", content: "" };
  return (await send(url, "/repos/local/written/contents/x", { method: "PUT", headers, body })).status;
};

test("with --write the Worker's token writes, and nobody else", async () => {
  await started(["--write"], async (vars, url) => {
    const config = readConfig({ ...vars, PUBLIC_URL: "http://127.0.0.1:8787" });
    assert.equal(config.anonymousWrites, true);
    const { repositories } = registryFile.parse(JSON.parse(vars.REGISTRY ?? ""));
    assert.deepEqual(
      repositories.map(({ writable }) => writable),
      [{ branches: ["**"], paths: ["**"] }],
    );
    assert.equal(await write(url), 401);
    assert.equal(await write(url, "guessed"), 401);
    assert.equal(await write(url, vars.GITHUB_TOKEN), 201);
    assert.equal((await send(url, "/repos/local/written")).status, 200);
  });
});

test("without it nobody writes, and nothing says that anybody could", async () => {
  await started([], async (vars, url) => {
    assert.deepEqual([vars.ANONYMOUS_WRITES, vars.GITHUB_TOKEN], [undefined, undefined]);
    const { repositories } = registryFile.parse(JSON.parse(vars.REGISTRY ?? ""));
    assert.equal(repositories[0]?.writable, false);
    assert.equal(await write(url), 403);
    assert.equal(await write(url, "any"), 403);
  });
});

test("github.com takes writes with a token only", async () => {
  const saved = process.env.GITHUB_TOKEN;
  delete process.env.GITHUB_TOKEN;
  try {
    const options = readStartOptions(["--github", "octo/demo", "--write"], checkout);
    await assert.rejects(
      startUpstream(options, 8787),
      (reason: unknown) => reason instanceof GitpinError && /--write needs a token/.test(reason.message),
    );
    process.env.GITHUB_TOKEN = "a-token";
    const { vars } = await startUpstream(options, 8787);
    assert.deepEqual([vars.ANONYMOUS_WRITES, vars.GITHUB_TOKEN], ["1", "a-token"]);
  } finally {
    if (saved === undefined) delete process.env.GITHUB_TOKEN;
    else process.env.GITHUB_TOKEN = saved;
  }
});
