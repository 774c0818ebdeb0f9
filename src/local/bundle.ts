// An entry and all it imports as modules for workerd: one of JavaScript, and each `.wasm` file that it imports, compiled by workerd
// itself. Node only. Bundles as wrangler does; each entry once per process. Reads the checkout; writes only what `writeBundle` is
// told to. A process of a test run takes the bundles that were written for that run (`BUNDLES_FOLDER`), if its entry is among them.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BuildResult, build } from "esbuild";

export interface Bundle {
  mainModule: string;
  modules: Record<
    string,
    { type: "esm"; contents: string } | { type: "wasm"; contents: Uint8Array<ArrayBuffer> }
  >;
}

/**
 * Environment variable: a folder of bundles, `writeBundle` made them. Nobody looks whether they are still those of the sources, so it
 * is set by the one who made them, for the processes that it starts.
 */
export const BUNDLES_FOLDER = "GITPIN_TEST_BUNDLES";

const root = join(import.meta.dirname, "../..");
const MAIN = "worker.js";
const bundles = new Map<string, Promise<Bundle>>();

/** `entry` is a path from the repository root. Throws what esbuild says. */
export function bundle(entry: string): Promise<Bundle> {
  const known = bundles.get(entry);
  if (known !== undefined) return known;
  const given = process.env[BUNDLES_FOLDER];
  const folder = given === undefined ? undefined : folderOf(given, entry);
  const made = folder !== undefined && existsSync(folder) ? readBundle(folder) : makeBundle(entry);
  bundles.set(entry, made);
  return made;
}

/** Bundles the entry as its sources are now, into a folder of its own below `folder`. */
export async function writeBundle(entry: string, folder: string): Promise<void> {
  const own = folderOf(folder, entry);
  const { modules } = await makeBundle(entry);
  await mkdir(own);
  await Promise.all(
    Object.entries(modules).map(([name, { contents }]) => writeFile(join(own, name), contents)),
  );
}

const folderOf = (folder: string, entry: string): string => join(folder, encodeURIComponent(entry));

async function makeBundle(entry: string): Promise<Bundle> {
  const { outputFiles = [] }: BuildResult = await build({
    absWorkingDir: root,
    entryPoints: { worker: entry },
    outdir: root,
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    mainFields: ["workerd", "worker", "module", "main"],
    conditions: ["workerd", "worker", "browser", "import"],
    // What the runtime itself has stays outside; the last two are asked for in Node alone.
    external: ["node:*", "cloudflare:*", "crypto", "buffer", "fs/promises", "module"],
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
    logLevel: "silent",
  });
  return modulesOf(
    outputFiles.map(({ path, contents }) => [basename(path), contents]),
    entry,
  );
}

async function readBundle(folder: string): Promise<Bundle> {
  const names = await readdir(folder);
  return modulesOf(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
    folder,
  );
}

function modulesOf(files: readonly (readonly [name: string, contents: Uint8Array])[], from: string): Bundle {
  const modules: Bundle["modules"] = {};
  for (const [name, contents] of files) {
    modules[name] = name.endsWith(".wasm")
      ? { type: "wasm", contents: new Uint8Array(contents) }
      : { type: "esm", contents: new TextDecoder().decode(contents) };
  }
  if (!(MAIN in modules)) throw new Error(`esbuild made nothing of ${from}`);
  return { mainModule: MAIN, modules };
}
