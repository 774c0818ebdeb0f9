/** CPU time that a Worker's start takes, by wrangler's own profile of it. Cloudflare allows a second. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { type Bundled, QUIET } from "./bundle-size.ts";

const profile = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
  samples: z.array(z.number()),
  /** Microseconds. */
  timeDeltas: z.array(z.number()),
});

/** Milliseconds in which it was not idle. */
export function startupCpuMs({ config }: Bundled): number {
  const folder = mkdtempSync(join(tmpdir(), "gitpin-startup-"));
  try {
    const file = join(folder, "startup.cpuprofile");
    const args = ["check", "startup", `--args=--config ${config} --minify`, "--outfile", file];
    const made = spawnSync("wrangler", args, { encoding: "utf8", env: QUIET });
    if (made.status !== 0) throw new Error(`wrangler profiled nothing:\n${made.stdout}\n${made.stderr}`);
    const { nodes, samples, timeDeltas } = profile.parse(JSON.parse(readFileSync(file, "utf8")));
    const idle = new Set(
      nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id),
    );
    // A sample's own time is the difference to the one after it.
    const busy = samples.map((id, index) => (idle.has(id) ? 0 : (timeDeltas[index + 1] ?? 0)));
    return busy.reduce((sum, micros) => sum + micros, 0) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
