/**
 * Size of the deployed bundle: minified by wrangler as for a deployment, then gzipped, which is what Cloudflare's limit counts.
 * With `--check` fails above the bound, so that a library which doubles it is noticed in the change that adds it.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** KiB, gzip. The free plan's limit is 3 MiB; this one is ours, and what the parts weigh is in docs/explanation/performance.md. */
export const BUNDLE_KIB_AT_MOST = 400;

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
}

export function bundleSize(): BundleSize {
  const folder = mkdtempSync(join(tmpdir(), "gitpin-bundle-"));
  try {
    const args = ["deploy", "--dry-run", "--minify", "--outdir", folder];
    const made = spawnSync("wrangler", args, { encoding: "utf8", env: QUIET });
    if (made.status !== 0) throw new Error(`wrangler made no bundle:\n${made.stdout}\n${made.stderr}`);
    const files = readdirSync(folder)
      .filter((name) => /\.(m?js|wasm)$/.test(name))
      .map((name) => readFileSync(join(folder, name)));
    if (files.length === 0) throw new Error("wrangler wrote no bundle");
    const kib = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0) / 1024;
    return {
      rawKib: kib(files.map((file) => file.length)),
      gzipKib: kib(files.map((file) => gzipSync(file).length)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { rawKib, gzipKib } = bundleSize();
  console.log(
    `bundle: ${rawKib.toFixed(0)} KiB minified, ${gzipKib.toFixed(0)} KiB gzip (at most ${BUNDLE_KIB_AT_MOST})`,
  );
  if (process.argv.includes("--check") && gzipKib > BUNDLE_KIB_AT_MOST) {
    console.error(
      "The bundle is larger than its bound: look for what was added, or raise the bound with a reason.",
    );
    process.exitCode = 1;
  }
}
