#!/usr/bin/env node
/**
 * `gitpin` for whatever Node a machine has. Plain JavaScript: it must start where TypeScript cannot be run. A Node that strips
 * types (24, 22.18) runs the command line itself; an older one hands over to the one that `npm ci` installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const installed = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));

if (process.features.typescript) {
  const { runProcess } = await import(main);
  await runProcess(process.argv.slice(2));
} else if (existsSync(installed)) {
  const { status, error } = spawnSync(installed, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  if (error !== undefined) process.stderr.write(`gitpin: ${error.message}\n`);
  process.exitCode = status ?? 2;
} else {
  process.stderr.write(
    `gitpin: Node ${process.versions.node} cannot run this. Use Node 24, or run npm ci first.\n`,
  );
  process.exitCode = 2;
}
