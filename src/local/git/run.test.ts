import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cleanEnvironment } from "./environment.ts";
import { GitFailure, runGit } from "./run.ts";

const here = { cwd: import.meta.dirname, env: cleanEnvironment() };
const hash = (input: string | Buffer) => runGit(["hash-object", "--stdin"], { ...here, input });

test("input and output go through byte for byte, many at once, each to its own caller", async () => {
  assert.equal((await hash("")).stdout.toString(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n");
  assert.equal((await hash("hello\n")).stdout.toString(), "ce013625030ba8dba906f756967f9e9ca394464a\n");
  const bytes = Buffer.from([0, 255, 10, 13, 0]);
  const [one, other] = await Promise.all([hash(bytes), runGit(["--version"], here)]);
  assert.equal(
    one.stdout.toString(),
    spawnSync("git", ["hash-object", "--stdin"], { input: bytes }).stdout.toString(),
  );
  assert.ok(Buffer.isBuffer(one.stdout));
  assert.match(other.stdout.toString(), /^git version /);
  const stripped = await runGit(["stripspace"], { ...here, input: "a line\n".repeat(400_000) });
  assert.equal(stripped.stdout.toString(), "a line\n".repeat(400_000));
});

test("an exit code is an answer or a failure in git's own words", async () => {
  const options = { cwd: tmpdir(), env: cleanEnvironment({ GIT_CEILING_DIRECTORIES: tmpdir() }) };
  await assert.rejects(runGit(["rev-parse", "HEAD"], options), (reason) => {
    assert.ok(reason instanceof GitFailure);
    assert.equal(reason.exitCode, 128);
    assert.match(reason.stderr, /not a git repository/);
    assert.match(reason.message, /^git rev-parse ended with 128: /);
    return true;
  });
  const { exitCode, stdout } = await runGit(["rev-parse", "HEAD"], { ...options, allowed: [128] });
  assert.deepEqual([exitCode, stdout], [128, Buffer.alloc(0)]);
});

test("what does not start rejects, and what comes after it runs", async () => {
  await assert.rejects(runGit(["--version"], { ...here, cwd: "/nonexistent" }), { code: "ENOENT" });
  await assert.rejects(runGit(["a\0b"], here), { code: "ERR_INVALID_ARG_VALUE" });
  await assert.rejects(runGit(["--version"], { ...here, env: { PATH: "/nonexistent" } }), { code: "ENOENT" });
  assert.match((await runGit(["--version"], here)).stdout.toString(), /^git version /);
});

test("output in pieces, until there is enough", async () => {
  const all: Buffer[] = [];
  const input = "line\n".repeat(200_000);
  const whole = await runGit(["stripspace"], { ...here, input, onOutput: (piece) => all.push(piece) > 0 });
  assert.deepEqual([whole.exitCode, whole.stdout], [0, Buffer.alloc(0)]);
  assert.equal(Buffer.concat(all).toString(), input);
  let pieces = 0;
  const more = { onOutput: () => ++pieces < 2, allowed: [0] };
  const cut = await runGit(["stripspace"], { ...here, input: input.repeat(10), ...more });
  assert.equal(pieces, 2);
  assert.deepEqual(cut.stdout, Buffer.alloc(0));
});

/** Runs these lines in a process of its own; resolves when all that hold its output have ended. */
async function elsewhere(lines: string): Promise<{ out: string; signal: NodeJS.Signals | null }> {
  const script = `
    import { cleanEnvironment } from "./environment.ts";
    import { runGit } from "./run.ts";
    const ask = (...args) => runGit(args, { cwd: "/", env: cleanEnvironment() });
    ${lines}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => {
      out += piece.toString();
    });
  }
  const [, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { out, signal };
}

test("a process that asked git something ends by itself", async () => {
  const { out } = await elsewhere(`console.log((await ask("--version")).stdout.toString().slice(0, 4));`);
  assert.equal(out, "git \n");
});

test("what git still does ends with the process that asked for it, however that ends", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "gitpin-run-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  // git waits for somebody to write what it reads.
  const isRead = (): boolean => execFileSync("ps", ["-eo", "args="]).includes(pipe);
  for (const [end, expected] of [
    ["process.exit();", null],
    [`process.kill(process.pid, "SIGKILL");`, "SIGKILL"],
  ] as const) {
    const { signal } = await elsewhere(`
      const waits = ask("config", "--file", ${JSON.stringify(pipe)}, "--list");
      await ask("--version");
      ${end}`);
    assert.equal(signal, expected);
    while (isRead()) await new Promise(setImmediate);
  }
});

test("a runner that is killed fails what it ran; the next call has a new one", async () => {
  const { out } = await elsewhere(`
    import { execFileSync } from "node:child_process";
    await ask("--version");
    const children = () => execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)]).toString();
    const [, pid] = /(\\d+) .*runner\\.mjs/.exec(children());
    const under = ask("hash-object", "--stdin");
    process.kill(Number(pid), "SIGKILL");
    const later = await under.then(() => "ran", ({ message }) => message);
    console.log(later, "|", (await ask("--version")).stdout.toString().slice(0, 4));`);
  assert.match(out, /^(?:ran|the process that runs git ended unexpectedly) \| git \n$/);
});
