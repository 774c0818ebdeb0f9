/** Runs the official conformance suite's command line against a running server, and reads its summary. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const CLI = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

export interface Run {
  exitCode: number;
  report: string;
  /** Scenarios by the mark of the summary. */
  passed: string[];
  failed: string[];
}

/** `folder` takes what the suite writes. */
export async function conform(url: string, folder: string, args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [CLI, "server", "--url", url, "-o", folder, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let report = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      report += String(chunk);
    });
  }
  const [exitCode] = await once(child, "close");
  const marked = (mark: string) =>
    [...report.matchAll(new RegExp(`^${mark} ([a-z0-9-]+): `, "gm"))].map(([, name = ""]) => name);
  return { exitCode: Number(exitCode), report, passed: marked("✓"), failed: marked("✗") };
}
