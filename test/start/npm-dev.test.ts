/** `npm run dev`: the same service under wrangler; a change of the Worker shows, and one interrupt ends both. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freshClone, lineUnder, machineEnvironment, npmRun, serviceUrl, temporaryFolder } from "./npm-run.ts";

test("serves, reloads, and ends whole", { timeout: 180_000 }, async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const clone = freshClone(folder.path);
  // Wrangler keeps notes in the home folder.
  const run = npmRun(t, ["run", "dev", "--", "--port", "0", "--state", join(folder.path, "state")], {
    cwd: clone,
    environment: { XDG_CONFIG_HOME: folder.path, HOME: folder.path },
  });
  const text = await run.printed(/sha256sum\n/);
  const verify = spawnSync("sh", ["-c", lineUnder(text, "Verify it")], { env: machineEnvironment() });
  assert.equal(verify.status, 0);

  const version = async (): Promise<unknown> =>
    ((await (await fetch(`${serviceUrl(text)}/healthz`)).json()) as { version: unknown }).version;
  assert.equal(await version(), "0.1.0");
  writeFileSync(join(clone, "src/version.ts"), 'export const VERSION = "0.1.1-changed";\n');
  // Wrangler prints at every reload; the answer says when ours is in.
  while ((await version()) !== "0.1.1-changed") await once(run.child, "printed");

  run.interrupt();
  await run.ended;
  assert.deepEqual(run.left(), []);
  // Wrangler has a group of its own; its address says whether it is gone.
  await assert.rejects(fetch(`${serviceUrl(text)}/healthz`));
});
