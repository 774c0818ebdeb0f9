/**
 * Figures of a large repository: 120,000 paths read through the adapter in a process of their own, once where GitHub cuts the tree (as
 * it does above 100,000 entries or 7 MB) and once where it comes in one answer of some 30 MB, the worst that could be sent.
 * `node scripts/bench-large.ts`. Memory is heap and buffers together at their highest; an isolate has 128 MB.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startLocalHost } from "../src/local/host.ts";
import { manyPaths, PATHS } from "../test/repositories/many-paths.ts";
import type { LargeReading } from "../test/upstream/large-reader.ts";

const HEAP_MB = 72;
const MB = 1024 * 1024;

const many = manyPaths();
console.log(`${PATHS} paths, one directory of 20,000; JavaScript heap bounded at ${HEAP_MB} MB`);
try {
  for (const [name, limits] of [
    ["cut by GitHub, walked", {}],
    ["whole in one answer", { treeEntries: 200_000, treeBytes: 48 * MB }],
  ] as const) {
    const host = await startLocalHost({
      repositories: [{ owner: "octo", name: "many", path: many.repository.path, id: 5 }],
      limits,
    });
    const script = join(import.meta.dirname, "../test/upstream/large-reader.ts");
    const bounded = ["--expose-gc", `--max-old-space-size=${HEAP_MB}`, "--max-semi-space-size=2"];
    const child = spawn(
      process.execPath,
      [...bounded, script, host.url, many.head, "area-3/dir-07/file-500.ts"],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const read = JSON.parse(await text(child.stdout)) as LargeReading;
    await host.close();
    const figures = [
      `${read.requests} requests`,
      `${(read.took / 1000).toFixed(1)} s with the host's part`,
      `${(read.peak / MB).toFixed(0)} MB at the highest`,
      `busy ${read.blocked.toFixed(0)} ms at a time at most`,
    ];
    console.log(`${name.padEnd(24)} ${figures.join(", ")}`);
  }
} finally {
  many.repository.remove();
}
