/**
 * `npm run deploy [-- --env NAME] [-- --dry-run]`: checks the configuration, deploys both Workers through wrangler, the one that
 * parses source first, and asks the deployment whether it is the version that was deployed, and ready. Refuses examples and
 * placeholders before anything is uploaded.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { parse } from "smol-toml";
import { VERSION } from "../src/version.ts";
import { checkDeployment } from "./deploy/checks.ts";
import { checkEntities } from "./deploy/entities-check.ts";
import { checkLive } from "./deploy/live-check.ts";

const root = join(import.meta.dirname, "..");
const ENTITIES_CONFIG = join(root, "wrangler.entities.toml");
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

const read = (path: string): unknown => parse(readFileSync(path, "utf8"));
const configuration = read(values.config);
const registry: unknown = JSON.parse(readFileSync(join(root, "registry.json"), "utf8"));
const main = checkDeployment(configuration, environment, registry);
const entities = checkEntities(configuration, read(ENTITIES_CONFIG), environment);
for (const note of [...main.notes, ...entities.notes]) console.error(`note: ${note}`);
const faults = [...main.faults, ...entities.faults];

if (faults.length > 0 || main.publicUrl === null) {
  console.error(`Not deployed:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
  console.error("The whole way: docs/how-to/deploy.md.");
  process.exitCode = 1;
} else {
  // What the other one calls must be there before it.
  const first = entities.name === null || upload(["--config", ENTITIES_CONFIG, "--name", entities.name]);
  const both =
    first && upload(["--config", values.config, ...(environment === null ? [] : ["--env", environment])]);
  process.exitCode = both ? 0 : 1;
  if (both && !values["dry-run"]) process.exitCode = await live(main.publicUrl);
}

function upload(args: readonly string[]): boolean {
  const dry = values["dry-run"] ? ["--dry-run"] : [];
  const options = { stdio: "inherit", cwd: root } as const;
  const { status, error } = spawnSync("wrangler", ["deploy", "--minify", ...args, ...dry], options);
  if (error !== undefined) console.error(`wrangler cannot be run: ${error.message}. Run npm ci first.`);
  return status === 0;
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
