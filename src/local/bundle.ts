// An entry and all it imports as modules for workerd: one of JavaScript, and each `.wasm` file that it imports, compiled by workerd
// itself. Node only. Bundles as wrangler does; each entry once per process. Reads the checkout, writes nothing.
import { basename, join } from "node:path";
import { type BuildResult, build } from "esbuild";

export interface Bundle {
  mainModule: string;
  modules: Record<
    string,
    { type: "esm"; contents: string } | { type: "wasm"; contents: Uint8Array<ArrayBuffer> }
  >;
}

const root = join(import.meta.dirname, "../..");
const MAIN = "worker.js";
const bundles = new Map<string, Promise<Bundle>>();

/** `entry` is a path from the repository root. Throws what esbuild says. */
export function bundle(entry: string): Promise<Bundle> {
  const known = bundles.get(entry);
  if (known !== undefined) return known;
  const made = build({
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
  }).then((result) => modulesOf(result, entry));
  bundles.set(entry, made);
  return made;
}

function modulesOf({ outputFiles = [] }: BuildResult, entry: string): Bundle {
  const modules: Bundle["modules"] = {};
  for (const { path, text, contents } of outputFiles) {
    const name = basename(path);
    modules[name] = name.endsWith(".wasm")
      ? { type: "wasm", contents: new Uint8Array(contents) }
      : { type: "esm", contents: text };
  }
  if (!(MAIN in modules)) throw new Error(`esbuild made nothing of ${entry}`);
  return { mainModule: MAIN, modules };
}
