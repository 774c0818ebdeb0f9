/**
 * `npm run pack:cli`: the command line alone as a tarball, `dist/gitpin-VERSION.tgz`: one bundled file for Node 22 and later, its
 * own package.json, README and licences; no dependencies, no Node. `npm install -g FILE` installs it without a network.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import * as z from "zod";
import { VERSION } from "../src/version.ts";
import { licencesOf } from "./pack/licences.ts";

const root = join(import.meta.dirname, "..");

const PACKAGE = {
  name: "gitpin",
  version: VERSION,
  description: "Prove, verify and gate citations of hosted git: the command line of GitPin Edge.",
  license: "MIT",
  type: "module",
  bin: { gitpin: "gitpin.mjs" },
  files: ["gitpin.mjs", "THIRD-PARTY-LICENCES"],
  engines: { node: ">=22.12" },
};

const ENTRY = `import { runProcess } from "./src/cli/main.ts";\nawait runProcess(process.argv.slice(2));\n`;

/** CommonJS libraries in the bundle ask for Node's own modules by `require`, which a module does not have. */
const BANNER = `#!/usr/bin/env node
import { createRequire as createRequireOf } from "node:module";
const require = createRequireOf(import.meta.url);`;

async function bundle(file: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
    outfile: file,
    bundle: true,
    minify: true,
    keepNames: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node22",
    banner: { js: BANNER },
    // This entry runs the command line; the one of main.ts is not asked.
    define: { "import.meta.main": "false" },
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

const packed = z.tuple([z.object({ filename: z.string(), size: z.number(), unpackedSize: z.number() })]);

/** Makes the tarball in `folder`; its path and size in bytes. */
export async function packCli(folder: string): Promise<{ path: string; bytes: number }> {
  const stage = mkdtempSync(join(tmpdir(), "gitpin-pack-"));
  try {
    const inputs = await bundle(join(stage, "gitpin.mjs"));
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(PACKAGE, null, 2)}\n`);
    writeFileSync(join(stage, "THIRD-PARTY-LICENCES"), licencesOf(root, inputs));
    copyFileSync(join(root, "scripts/pack/README.md"), join(stage, "README.md"));
    copyFileSync(join(root, "LICENSE"), join(stage, "LICENSE"));
    mkdirSync(folder, { recursive: true });
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    const { status, stdout, stderr } = spawnSync("npm", args, { cwd: stage, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
    const [{ filename, size }] = packed.parse(JSON.parse(stdout));
    return { path: join(folder, filename), bytes: size };
  } finally {
    rmSync(stage, { recursive: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { to: { type: "string", default: join(root, "dist") } } });
  const { path, bytes } = await packCli(resolve(values.to));
  console.log(`${path}  ${(bytes / 1024).toFixed(0)} KiB`);
}
