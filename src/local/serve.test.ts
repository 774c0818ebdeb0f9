import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";

test("the command serves the named clones, says where, and ends when interrupted", async () => {
  const repository = new GitRepository("hand-made");
  const sha = repository.commit("one");
  const script = join(import.meta.dirname, "serve.ts");
  const child = spawn(process.execPath, [script, "--repo", repository.path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const output = createInterface({ input: child.stdout });
    const [line] = (await once(output, "line")) as [string];
    assert.match(line, /^http:\/\/127\.0\.0\.1:\d+$/);
    const headers = { accept: "application/vnd.github.sha", "user-agent": "test" };
    const reply = await fetch(`${line}/repos/local/hand-made/commits/HEAD`, { headers });
    assert.equal(await reply.text(), sha);
  } finally {
    child.kill("SIGTERM");
    const [code] = (await once(child, "close")) as [number | null];
    repository.remove();
    assert.equal(code, 0);
  }
});
