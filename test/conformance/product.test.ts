/**
 * The official conformance suite against the product's own server: the scenarios that need no diagnostic tool of the
 * suite (`test_simple_text` and the like, which `conformance.test.ts` serves over the same transports).
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";
import { conform } from "./suite.ts";

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "sep-2164-resource-not-found",
  ],
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
  ],
};

let stack: Stack;
let repository: GitRepository;
let output: string;

before(async () => {
  output = await mkdtemp(join(tmpdir(), "gitpin-conformance-"));
  repository = new GitRepository("app");
  repository.write("a.txt", "a\n").commit("first");
  stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "app", path: repository.path }] },
    registry: [{ name: "app", owner: "octo", repo: "app" }],
  });
});

after(async () => {
  await stack.close();
  repository.remove();
  await rm(output, { recursive: true, force: true });
});

for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
  for (const scenario of scenarios) {
    test(`${revision}: ${scenario}`, async () => {
      const url = `${stack.worker.url}/mcp?names=underscore`;
      const run = await conform(url, output, ["--scenario", scenario, "--spec-version", revision]);
      assert.equal(run.exitCode, 0, run.report);
      assert.match(run.report, /[1-9]\d* passed|Passed: [1-9]|✓/, run.report);
    });
  }
}
