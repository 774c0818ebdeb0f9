/**
 * The CI gate: `node scripts/verify-citations.mjs --file notes.md | --pack pack.json`, both repeatable. Thin: each is one run of the
 * command line (`verify-cites`, `verify --from-pack`), and the highest exit code wins. Settings as of the command line:
 * GITPIN_REGISTRY (with GITHUB_TOKEN), or GITPIN_URL (with GITPIN_TOKEN).
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE = `Usage: node scripts/verify-citations.mjs --file notes.md | --pack pack.json   (both repeatable)
  --format text|json|github   form of the report on notes (default: github on GitHub Actions, else text)
  --fix                       rewrite citations whose lines only moved`;
const gitpin = fileURLToPath(new URL("../bin/gitpin.mjs", import.meta.url));

function options() {
  try {
    const { values } = parseArgs({
      options: {
        file: { type: "string", multiple: true, default: [] },
        pack: { type: "string", multiple: true, default: [] },
        format: { type: "string", default: process.env.GITHUB_ACTIONS === "true" ? "github" : "text" },
        fix: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    return values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return null;
  }
}

function run(...args) {
  const { status, error } = spawnSync(process.execPath, [gitpin, ...args], { stdio: "inherit" });
  if (error !== undefined) process.stderr.write(`${error.message}\n`);
  return status ?? 2;
}

function gate({ file, pack, format, fix }) {
  const codes = pack.map((path) => run("verify", `--from-pack=${path}`));
  if (file.length > 0) {
    const files = file.map((path) => `--file=${path}`);
    codes.push(run("verify-cites", ...files, "--format", format, ...(fix ? ["--fix"] : [])));
  }
  return Math.max(...codes);
}

const given = options();
const nothing = given === null || (given.file.length === 0 && given.pack.length === 0);
if (given?.help) process.stdout.write(`${USAGE}\n`);
else if (nothing) process.stderr.write(`${USAGE}\n`);
process.exitCode = given?.help ? 0 : nothing ? 2 : gate(given);
