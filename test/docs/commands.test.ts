/** Every command of the documentation runs as it is printed, in a fresh clone, against a running service. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Stack, startStack } from "../stack.ts";
import { freshClone, machineEnvironment, temporaryFolder } from "../start/npm-run.ts";
import { pageScript, runnablePages, shellBlocks, textOf } from "./pages.ts";

const HOST_TOKEN = "host-token";
const LOCAL = "http://127.0.0.1:8787";
let folder: ReturnType<typeof temporaryFolder>;
let clone = "";
let stack: Stack;

before(async () => {
  folder = temporaryFolder();
  clone = freshClone(folder.path);
  stack = await startStack({
    host: {
      repositories: [
        { owner: "local", name: "gitpin-edge", path: clone, id: 1 },
        { owner: "octo", name: "app", path: clone, id: 2 },
      ],
      tokens: [HOST_TOKEN],
      writable: true,
    },
    registry: [
      { name: "gitpin-edge", owner: "local", repo: "gitpin-edge", writable: { branches: ["agent/*"] } },
    ],
    vars: { GITHUB_TOKEN: HOST_TOKEN, ANONYMOUS_WRITES: "1" },
    durableObjects: { BRANCH_QUEUES: "BranchQueueObject", REQUESTS: "RequestLedgerObject" },
    entities: true,
  });
});
after(async () => {
  await stack.close();
  folder.remove();
});

/** Asynchronously: the hosted git under the service runs in this process. */
function sh(script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn("sh", ["-c", script], {
    cwd: clone,
    env: machineEnvironment({
      HOME: folder.path,
      // The command line many times: it is compiled once.
      NODE_COMPILE_CACHE: join(folder.path, "compiled"),
      GITPIN_URL: "",
      GITPIN_TOKEN: "",
      GITPIN_REGISTRY: "",
      GITHUB_TOKEN: "",
      GITHUB_ACTIONS: "",
      GITHUB_API_URL: stack.host.url,
    }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => {
      output += piece.toString();
    });
  }
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

const withCommands = runnablePages.filter((page) => shellBlocks(textOf(page)).length > 0);

for (const page of withCommands) {
  test(page, { timeout: 120_000 }, async () => {
    const script = pageScript(shellBlocks(textOf(page))).replaceAll(LOCAL, stack.worker.url);
    const { code, output } = await sh(script);
    assert.equal(code, 0, `${page}: ${output}`);
  });
}

test("the pages that newcomers begin with have commands", () => {
  for (const page of [
    "README.md",
    "docs/tutorial/first-evidence.md",
    "docs/how-to/ci-gate.md",
    "docs/how-to/agent-setup.md",
  ]) {
    assert.ok(withCommands.includes(page), page);
  }
});

test("a command that fails, and an exit code that differs, fail the page", async () => {
  const blocks = shellBlocks("```sh\ntrue\n```\n\n```sh exit=1\nfalse\n```\n");
  assert.equal((await sh(pageScript(blocks))).code, 0);
  assert.equal((await sh(pageScript(shellBlocks("```sh\nfalse\ntrue\n```\n")))).code, 1);
  assert.equal((await sh(pageScript(shellBlocks("```sh exit=1\ntrue\n```\n")))).code, 99);
  assert.throws(() => shellBlocks("```sh notest\ntrue\n```\n"), /convention/);
  assert.throws(() => shellBlocks("```bash\ntrue\n```\n"), /convention/);
});
