/** The gate as CI runs it: `scripts/verify-citations.mjs`, and what `action.yml` runs, with hostile inputs. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parse } from "yaml";
import { machineEnvironment } from "../start/npm-run.ts";
import { type CommandLineStack, commandLineStack } from "./command-line.ts";

const checkout = join(import.meta.dirname, "../..");
let cli: CommandLineStack;
let folder = "";
before(async () => {
  cli = await commandLineStack();
  folder = mkdtempSync(join(tmpdir(), "gitpin-gate-"));
  mkdirSync(join(folder, "docs/deep"), { recursive: true });
  writeFileSync(join(folder, "docs/good.md"), `notes/README.md:3 @ ${cli.head}\n`);
  writeFileSync(join(folder, "docs/deep/good too.md"), `gitpin:notes@${cli.old}:moved.md:2\n`);
  writeFileSync(join(folder, "bad.md"), `\nnotes/nowhere.md @ ${cli.head}\n`);
  const { body } = await cli.stack.get("/v1/prove", { repository: "notes", sourcePath: "README.md" });
  writeFileSync(join(folder, "pack.json"), JSON.stringify(body));
});
after(async () => {
  await cli.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asynchronously: the service under test runs in this process's event loop. */
function command(program: string, args: string[], environment: Record<string, string>) {
  // The same command line forty times: it is compiled once.
  const env = machineEnvironment({ NODE_COMPILE_CACHE: join(folder, "compiled"), ...environment });
  const child = spawn(program, args, { cwd: folder, env, stdio: "pipe" });
  let out = "";
  let error = "";
  child.stdout.on("data", (piece: Buffer) => {
    out += piece.toString();
  });
  child.stderr.on("data", (piece: Buffer) => {
    error += piece.toString();
  });
  return new Promise<{ code: number | null; out: string; error: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, out, error })),
  );
}

const gate = (args: string[], environment: Record<string, string> = {}) =>
  command("node", [join(checkout, "scripts/verify-citations.mjs"), ...args], {
    ...cli.direct,
    ...environment,
  });

const action = (environment: Record<string, string>) =>
  command("bash", [join(checkout, "scripts/action-gate.sh")], {
    GITPIN_URL: cli.stack.worker.url,
    GITPIN_TOKEN: "",
    GITPIN_REGISTRY: "",
    GITHUB_ACTIONS: "true",
    ...environment,
  });

test("the gate: notes and packs, exit 0, 1 and 2, on the machine's own Node", async () => {
  const good = await gate(["--file", "docs/good.md", "--pack", "pack.json"]);
  assert.equal(good.code, 0, good.error);
  assert.match(good.out, /^ok /m);
  assert.match(good.out, /^1 citation: 1 ok$/m);
  const bad = await gate(["--file", "bad.md", "--pack", "pack.json"]);
  assert.equal(bad.code, 1);
  assert.match(bad.out, /bad\.md:2:1 {2}missing/);
  assert.equal((await gate(["--file", "docs/good.md", "--pack", "none.json"])).code, 2);
  assert.equal((await gate([])).code, 2);
  assert.equal((await gate(["--nonsense"])).code, 2);
  assert.equal((await gate(["--help"])).code, 0);
});

test("on GitHub Actions the report is annotations", async () => {
  const { out, code } = await gate(["--file", "bad.md"], { GITHUB_ACTIONS: "true" });
  assert.match(out, /^::error file=bad\.md,line=2,col=1,title=citation missing::/m);
  assert.equal(code, 1);
});

test("the action: paths and globs, blanks in names, several lines", async () => {
  const all = await action({
    INPUT_FILES: "docs/**/*.md\n\n  docs/deep/good too.md  \n",
    INPUT_PACKS: "*.json",
  });
  assert.equal(all.code, 0, all.error);
  assert.match(all.out, /^2 citations: 2 ok \(1 moved\)$/m);
  assert.equal((await action({ INPUT_FILES: "*.md" })).code, 1);
  for (const [environment, text] of [
    [{}, /Give files or packs/],
    [{ INPUT_FILES: "nothing/*.md" }, /No file matches/],
    [{ INPUT_FILES: "docs/good.md", INPUT_FIX: "yes" }, /fix is true or false/],
  ] as const) {
    const wrong = await action(environment);
    assert.match(wrong.error, text);
    assert.equal(wrong.code, 2);
  }
});

test("no input becomes a command or an option", async () => {
  const hostile = [
    "$(touch pwned).md",
    "`touch pwned`.md",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "a\\$(touch pwned)",
    "--fix",
    "-",
    "~/x",
    "x && touch pwned",
  ];
  for (const text of hostile) {
    for (const name of ["INPUT_FILES", "INPUT_PACKS", "INPUT_FIX"]) {
      const { code } = await action({ INPUT_FILES: "docs/good.md", [name]: text });
      assert.equal(code, 2, `${name}=${text}`);
    }
  }
  assert.equal(existsSync(join(folder, "pwned")), false);
});

test("action.yml hands inputs on as variables only, and runs what is here", () => {
  const { inputs, runs } = parse(readFileSync(join(checkout, "action.yml"), "utf8")) as {
    inputs: Record<string, { description?: string }>;
    runs: { using: string; steps: { run: string; env: Record<string, string> }[] };
  };
  assert.equal(runs.using, "composite");
  for (const [name, { description }] of Object.entries(inputs)) assert.ok(description, name);
  const handedOn = runs.steps.flatMap(({ env }) => Object.values(env));
  for (const name of Object.keys(inputs)) assert.ok(handedOn.includes(`\${{ inputs.${name} }}`), name);
  for (const { run } of runs.steps) {
    assert.doesNotMatch(run, /\$\{\{/);
    const script = /"\$ACTION_PATH\/([^"]+)"/.exec(run)?.[1];
    if (script !== undefined) assert.ok(existsSync(join(checkout, script)), script);
  }
});
