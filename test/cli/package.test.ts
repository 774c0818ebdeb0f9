/** The tarball of the command line as somebody gets it: installed without a network into an empty folder, and run against a stack. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { packCli } from "../../scripts/pack-cli.ts";
import { VERSION } from "../../src/version.ts";
import { type CommandLineStack, commandLineStack } from "./command-line.ts";

const KIB_AT_MOST = 400;
const run = promisify(execFile);

let cli: CommandLineStack;
let folder = "";
let tarball: { path: string; bytes: number };

before(async () => {
  cli = await commandLineStack();
  folder = mkdtempSync(join(tmpdir(), "gitpin-package-"));
  tarball = await packCli(folder);
  const install = ["install", "--offline", "--no-audit", "--no-fund", "--prefix", folder, tarball.path];
  await run("npm", install, { cwd: folder });
});
after(async () => {
  await cli.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  code: number;
  out: string;
  error: string;
}

/** The installed command under this process's Node, outside of the checkout and without its environment. */
async function gitpin(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
  const command = join(folder, "node_modules/.bin/gitpin");
  const options = { cwd: folder, env: { HOME: folder, ...environment } };
  try {
    const { stdout, stderr } = await run(process.execPath, [command, ...args], options);
    return { code: 0, out: stdout, error: stderr };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, error: stderr };
  }
}

test("it is small, and needs nothing else", () => {
  assert.ok(tarball.bytes < KIB_AT_MOST * 1024, `${tarball.bytes} bytes`);
  assert.ok(statSync(join(folder, "node_modules/.bin/gitpin")).mode & 0o100);
  const installed = JSON.parse(readFileSync(join(folder, "node_modules/gitpin/package.json"), "utf8"));
  for (const field of ["dependencies", "optionalDependencies", "devDependencies", "scripts"]) {
    assert.equal(installed[field], undefined, field);
  }
  assert.equal(installed.engines.node, ">=22.12");
});

test("the licences of all that is bundled are in it", () => {
  const text = readFileSync(join(folder, "node_modules/gitpin/THIRD-PARTY-LICENCES"), "utf8");
  for (const name of ["zod", "commander", "re2js", "yaml", "@octokit/core"]) {
    assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"), name);
  }
  assert.doesNotMatch(text, /holds no text/);
});

test("gitpin --version", async () => {
  assert.deepEqual(await gitpin({}, "--version"), { code: 0, out: `${VERSION}\n`, error: "" });
});

for (const way of ["hosted", "direct"] as const) {
  test(`${way}: verify says ok with 0, a verdict that is not with 1, what stops it with 2`, async () => {
    const ok = await gitpin(cli[way], "verify", "--cite", `notes/README.md:3 @ ${cli.head}`);
    assert.match(ok.out, /^ok {2}/);
    assert.deepEqual([ok.code, ok.error], [0, ""]);
    const gone = await gitpin(cli[way], "verify", "--cite", `notes/gone.md @ ${cli.old}`);
    assert.match(gone.out, /^mismatch {2}gone/);
    assert.equal(gone.code, 1);
    const unknown = await gitpin(cli[way], "verify", "--cite", `other/a.md @ ${cli.head}`);
    assert.match(unknown.error, /^gitpin: repository_unknown: /);
    assert.deepEqual([unknown.code, unknown.out], [2, ""]);
  });
}
