/**
 * The official conformance suite against the fixture Worker in workerd: the frozen requirement sets of both revisions.
 * 2026-07-28 must pass whole; of 2025-11-25 everything but what `expected-failures-2025-11-25.yml` gives reasons for.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type RunningWorker, startWorker } from "../running-worker.ts";
import { conform } from "./suite.ts";

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

const requirements = (revision: string, extra: readonly string[] = []) =>
  conform(`${worker.url}/mcp`, output, ["--requirements", revision, ...extra]);

test("2026-07-28: every required scenario passes", async () => {
  const run = await requirements("2026-07-28");
  assert.equal(run.exitCode, 0, run.report);
  assert.equal(run.passed.includes("server-stateless"), true);
  assert.equal(run.passed.includes("http-header-validation"), true);
  assert.ok(run.passed.length >= 37, run.report);
});

test("2025-11-25: every scenario passes that a stateless server can pass", async () => {
  const baseline = join(import.meta.dirname, "expected-failures-2025-11-25.yml");
  const run = await requirements("2025-11-25", ["--expected-failures", baseline]);
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
