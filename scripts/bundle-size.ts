/**
 * Sizes of both deployed bundles: minified by wrangler as for a deployment, then gzipped, which is what Cloudflare's limit counts.
 * With `--check` fails above a bound, so that a library which doubles one is noticed in the change that adds it, and where a
 * grammar has come into the Worker that answers every call.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export interface Bundled {
  /** Configuration in the root of the repository. */
  config: string;
  /** KiB, gzip. The free plan's limit is 3 MiB; this one is ours, and what the parts weigh is in docs/explanation/performance.md. */
  kibAtMost: number;
  /** Compiled modules beside the JavaScript. */
  wasm: boolean;
}

export const BUNDLES: Record<"bundle" | "entities", Bundled> = {
  bundle: { config: "wrangler.toml", kibAtMost: 400, wasm: false },
  entities: {
    config: "wrangler.entities.toml",

    kibAtMost: 2048,
    wasm: true,
  },
};

/** Without these wrangler asks the network for things that nobody needs here. */
export const QUIET = {
  ...process.env,
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
};

export interface BundleSize {
  rawKib: number;
  gzipKib: number;
  /** Names of compiled modules. */
  wasm: string[];
}

export function bundleSize({ config }: Bundled): BundleSize {
  const folder = mkdtempSync(join(tmpdir(), "gitpin-bundle-"));
  try {
    const args = ["deploy", "--dry-run", "--minify", "--config", config, "--outdir", folder];
    const made = spawnSync("wrangler", args, { encoding: "utf8", env: QUIET });
    if (made.status !== 0) throw new Error(`wrangler made no bundle:\n${made.stdout}\n${made.stderr}`);
    const names = readdirSync(folder).filter((name) => /\.(m?js|wasm)$/.test(name));
    if (names.length === 0) throw new Error("wrangler wrote no bundle");
    const files = names.map((name) => readFileSync(join(folder, name)));
    const kib = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0) / 1024;
    return {
      rawKib: kib(files.map((file) => file.length)),
      gzipKib: kib(files.map((file) => gzipSync(file).length)),
      wasm: names.filter((name) => name.endsWith(".wasm")),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One line of figures. */
export const sizeText = ({ rawKib, gzipKib }: BundleSize, { kibAtMost }: Bundled): string =>
  `${rawKib.toFixed(0)} KiB minified, ${gzipKib.toFixed(0)} KiB gzip (at most ${kibAtMost})`;

function check(size: BundleSize, bundled: Bundled): string[] {
  const faults: string[] = [];
  if (size.gzipKib > bundled.kibAtMost)
    faults.push("It is larger than its bound: look for what was added, or raise the bound with a reason.");
  if (size.wasm.length > 0 !== bundled.wasm)
    faults.push(
      bundled.wasm
        ? "It holds no grammar."
        : `It holds ${size.wasm.join(", ")}, which every call would load.`,
    );
  return faults;
}

if (import.meta.main) {
  for (const [name, bundled] of Object.entries(BUNDLES)) {
    const size = bundleSize(bundled);
    console.log(`${name}: ${sizeText(size, bundled)}`);
    if (!process.argv.includes("--check")) continue;
    const faults = check(size, bundled);
    for (const fault of faults) console.error(`${name}: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}
