/**
 * `npm run deploy [-- --env NAME] [-- --dry-run]`: checks the configuration, deploys through wrangler, and asks the deployment
 * whether it is the version that was deployed, and ready. Refuses examples and placeholders before anything is uploaded.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { parse } from "smol-toml";
import { VERSION } from "../src/version.ts";
import { checkDeployment } from "./deploy/checks.ts";
import { checkLive } from "./deploy/live-check.ts";

const root = join(import.meta.dirname, "..");
const TRIES = 20;
const PAUSE_MS = 3000;

const { values } = parseArgs({
  options: {
    env: { type: "string" },
    /** Checks, bundles, uploads nothing. */
    "dry-run": { type: "boolean", default: false },
    /** wrangler.toml of another place. */
    config: { type: "string", default: join(root, "wrangler.toml") },
  },
});
const environment = values.env ?? null;

const { faults, notes, publicUrl } = checkDeployment(
  parse(readFileSync(values.config, "utf8")),
  environment,
  JSON.parse(readFileSync(join(root, "registry.json"), "utf8")),
);
for (const note of notes) console.error(`note: ${note}`);

if (faults.length > 0 || publicUrl === null) {
  console.error(`Not deployed:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
  console.error("The whole way: docs/how-to/deploy.md.");
  process.exitCode = 1;
} else {
  const args = ["deploy", "--minify", "--config", values.config];
  if (environment !== null) args.push("--env", environment);
  if (values["dry-run"]) args.push("--dry-run");
  const { status, error } = spawnSync("wrangler", args, { stdio: "inherit", cwd: root });
  if (error !== undefined) console.error(`wrangler cannot be run: ${error.message}. Run npm ci first.`);
  process.exitCode = status ?? 1;
  if (status === 0 && !values["dry-run"]) process.exitCode = await live(publicUrl);
}

async function live(url: string): Promise<number> {
  const pause = () => sleep(PAUSE_MS);
  const check = await checkLive(url, { fetch, version: VERSION, pause, tries: TRIES });
  const back = `npx wrangler rollback${environment === null ? "" : ` --env ${environment}`}`;
  switch (check.status) {
    case "ready":
      console.log(`${url} runs ${VERSION} and is ready.`);
      return 0;
    case "not_ready":
      console.error(`${url} runs ${VERSION} and is ${check.reason}. The one before is back with: ${back}`);
      return 1;
    case "not_live":
      console.error(`${url} does not run ${VERSION}: ${check.reason}. The one before is back with: ${back}`);
      return 1;
  }
}
