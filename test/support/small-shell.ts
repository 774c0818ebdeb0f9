/**
 * Runs programs to their end, as `spawnSync` does, through one shell that stays: a fork takes time in proportion to the memory of the
 * process that forks, a test process holds hundreds of megabytes, and tests ask git thousands of times. Owns that shell and the
 * files that programs read and write. Ends with this process, also when that is killed. POSIX alone.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RunOptions {
  cwd: string;
  /** All of it: nothing is inherited. */
  env: Readonly<Record<string, string | undefined>>;
  input?: string | Uint8Array;
}

export interface Ran {
  status: number;
  stdout: Buffer;
  stderr: Buffer;
}

interface Shell {
  folder: string;
  asks: number;
  answers: number;
}

let running: Shell | undefined;

function shell(): Shell {
  if (running !== undefined) return running;
  const folder = mkdtempSync(join(tmpdir(), "gitpin-shell-"));
  const [asked, answered] = [join(folder, "asked"), join(folder, "answered")];
  execFileSync("mkfifo", [asked, answered]);
  // Opened for both ends first, or each would wait for the other; the shell has one end of each, so that it ends with this process.
  const both = [asked, answered].map((path) => openSync(path, constants.O_RDWR));
  const [stdin, stdout] = [openSync(asked, "r"), openSync(answered, "w")];
  const [asks, answers] = [openSync(asked, "w"), openSync(answered, "r")];
  spawn("sh", [], { cwd: folder, env: {}, stdio: [stdin, stdout, "inherit"] }).unref();
  for (const descriptor of [...both, stdin, stdout]) closeSync(descriptor);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  running = { folder, asks, answers };
  return running;
}

const quoted = (text: string): string => {
  if (text.includes("\0")) throw new TypeError("no argument holds a NUL");
  return `'${text.replaceAll("'", "'\\''")}'`;
};

/** Waits for the program, whatever its exit status is. */
export function runProgram(program: string, args: readonly string[], options: RunOptions): Ran {
  const { folder, asks, answers } = shell();
  const settings = Object.entries(options.env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(value)}`],
  );
  let from = "/dev/null";
  if (options.input !== undefined) {
    from = join(folder, "in");
    writeFileSync(from, options.input);
  }
  const [out, error] = [join(folder, "out"), join(folder, "error")];
  const command = [...settings, quoted(program), ...args.map(quoted)].join(" ");
  const line = `{ cd ${quoted(options.cwd)} && ${command}; } <${quoted(from)} >${quoted(out)} 2>${quoted(error)}; echo $?\n`;
  for (let rest = Buffer.from(line); rest.length > 0; ) rest = rest.subarray(writeSync(asks, rest));
  return { status: statusFrom(answers), stdout: readFileSync(out), stderr: readFileSync(error) };
}

function statusFrom(answers: number): number {
  const piece = Buffer.alloc(16);
  let text = "";
  while (!text.endsWith("\n")) {
    const length = readSync(answers, piece);
    if (length === 0) throw new Error("the shell ended");
    text += piece.toString("latin1", 0, length);
  }
  return Number(text);
}

/** Standard output; what ends with another status than 0 is thrown with its own words. */
export function outputOf(program: string, args: readonly string[], options: RunOptions): Buffer {
  const { status, stdout, stderr } = runProgram(program, args, options);
  if (status !== 0) throw new Error(`Command failed: ${program} ${args.join(" ")}\n${stderr}`);
  return stdout;
}
