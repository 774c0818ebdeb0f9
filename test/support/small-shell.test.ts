import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { test } from "node:test";
import { outputOf, runProgram } from "./small-shell.ts";

const options = { cwd: tmpdir(), env: { PATH: process.env.PATH } };

test("arguments, input, output, status and words go through byte for byte", () => {
  const odd = ["'", "$(exit 9)", "a\nb", "", "\\", "-x", "\u{1f600} ", "*"];
  assert.equal(outputOf("printf", ["%s|", ...odd], options).toString(), odd.map((one) => `${one}|`).join(""));
  const bytes = Buffer.from([0, 10, 13, 255, 39, 0]);
  assert.deepEqual(outputOf("cat", [], { ...options, input: bytes }), bytes);
  assert.deepEqual(outputOf("cat", [], options), Buffer.alloc(0));
  const large = Buffer.alloc(3_000_000, "line\n");
  assert.deepEqual(outputOf("cat", [], { ...options, input: large }), large);
  const failed = runProgram("sh", ["-c", "echo out; echo words >&2; exit 7"], options);
  assert.deepEqual([failed.status, String(failed.stdout), String(failed.stderr)], [7, "out\n", "words\n"]);
  assert.throws(
    () => outputOf("sh", ["-c", "echo words >&2; exit 1"], options),
    /Command failed[\s\S]*\nwords\n$/,
  );
  assert.equal(outputOf("printf", ["%s", "x".repeat(100_000)], options).length, 100_000);
});

test("each program has the folder and the variables that it was given, and no others", () => {
  const env = { PATH: process.env.PATH, ONE: "a 'b' \"c\" $PATH\n", TWO: undefined };
  assert.equal(outputOf("printenv", ["ONE"], { cwd: "/", env }).toString(), `${env.ONE}\n`);
  assert.equal(runProgram("printenv", ["TWO"], { cwd: "/", env }).status, 1);
  assert.equal(runProgram("printenv", ["ONE"], options).status, 1);
  assert.equal(outputOf("pwd", [], { cwd: "/", env }).toString(), "/\n");
  assert.notEqual(runProgram("pwd", [], { cwd: "/nonexistent", env }).status, 0);
  assert.equal(outputOf("pwd", [], { cwd: "/", env }).toString(), "/\n");
  assert.throws(() => runProgram("printf", ["a\0b"], options), TypeError);
  assert.equal(runProgram("no-such-program", [], options).status, 127);
});

test("a process that used it ends by itself, and leaves nothing", () => {
  const script = `
    import { outputOf } from "./small-shell.ts";
    const ask = (line) => outputOf("sh", ["-c", line], { cwd: "/", env: { PATH: process.env.PATH } }).toString();
    process.stdout.write(ask("echo $PPID; readlink /proc/self/fd/1 || echo unknown"));`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  const [shell = "", file = ""] = stdout.split("\n");
  assert.equal(status, 0);
  assert.match(shell, /^\d+$/);
  if (file !== "unknown") assert.equal(existsSync(dirname(file)), false);
});
