/**
 * The official conformance suite against the fixture Worker in workerd: the frozen requirement sets of both revisions.
 * 2026-07-28 must pass whole; of 2025-11-25 everything but what `expected-failures-2025-11-25.yml` gives reasons for.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type RunningWorker, startWorker } from "../running-worker.ts";

const CLI = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

let worker: RunningWorker;
let output: string;

before(async () => {
  output = await mkdtemp(join(tmpdir(), "gitpin-conformance-"));
  worker = await startWorker({ entry: "test/conformance/fixture-worker.ts" });
});

after(async () => {
  await worker.close();
  await rm(output, { recursive: true, force: true });
});

interface Run {
  exitCode: number;
  report: string;
  /** Scenarios by the mark of the summary. */
  passed: string[];
  failed: string[];
}

async function conform(revision: string, extra: readonly string[] = []): Promise<Run> {
  const args = [
    "server",
    "--url",
    `${worker.url}/mcp`,
    "--requirements",
    revision,
    "-o",
    join(output, revision),
  ];
  const child = spawn(process.execPath, [CLI, ...args, ...extra], {
    cwd: output,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let report = "";
  child.stdout.on("data", (chunk) => {
    report += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    report += String(chunk);
  });
  const [exitCode] = await once(child, "close");
  const marked = (mark: string) =>
    [...report.matchAll(new RegExp(`^${mark} ([a-z0-9-]+): `, "gm"))].map(([, name = ""]) => name);
  return { exitCode: Number(exitCode), report, passed: marked("✓"), failed: marked("✗") };
}

test("2026-07-28: every required scenario passes", async () => {
  const run = await conform("2026-07-28");
  assert.equal(run.exitCode, 0, run.report);
  assert.equal(run.passed.includes("server-stateless"), true);
  assert.equal(run.passed.includes("http-header-validation"), true);
  assert.ok(run.passed.length >= 37, run.report);
});

test("2025-11-25: every scenario passes that a stateless server can pass", async () => {
  const baseline = join(import.meta.dirname, "expected-failures-2025-11-25.yml");
  const run = await conform("2025-11-25", ["--expected-failures", baseline]);
  assert.equal(run.exitCode, 0, run.report);
  // `json-schema-2020-12` is not required: the suite's own server does not pass it yet.
  assert.deepEqual(run.failed.sort(), [
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "json-schema-2020-12",
    "resources-subscribe",
    "resources-unsubscribe",
    "tools-call-elicitation",
    "tools-call-sampling",
  ]);
});
