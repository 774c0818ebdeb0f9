// The process that `run.ts` keeps to start git in: runs what it is told, any number at once, and tells what became of each. Small, so
// that forks of it are cheap. Owns the git processes that it started: they end with it. Decides nothing about them.
// Plain JavaScript: what strips types would double its memory, and with it the time of each fork.
// Ends when the process that started it has ended or let go; a Ctrl-C for the whole group is that one's to answer.
import { spawn } from "node:child_process";

/** @typedef {import("./run-messages.ts").Ask} Ask */
/** @typedef {import("./run-messages.ts").Tell} Tell */

/** @type {Map<number, import("node:child_process").ChildProcessWithoutNullStreams>} */
const running = new Map();

/** @param {Tell} message */
function tell(message) {
  // Nobody is left to hear it: `disconnect` follows.
  process.send?.(message, undefined, {}, () => undefined);
}

/** @param {Extract<Ask, { kind: "run" }>} ask */
function start({ id, args, cwd, env, input, inPieces }) {
  /** @param {unknown} reason */
  const failed = (reason) => {
    running.delete(id);
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (reason);
    tell({ kind: "failed", id, message, ...(code !== undefined && { code }) });
  };
  try {
    const child = spawn("git", args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    running.set(id, child);
    /** @type {Buffer[]} */
    const pieces = [];
    /** @type {Buffer[]} */
    const complaints = [];
    // A git that ends before it has read all says why by its exit code.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.stdout.on("data", (piece) => {
      if (inPieces) tell({ kind: "piece", id, piece });
      else pieces.push(piece);
    });
    child.stderr.on("data", (piece) => complaints.push(piece));
    child.on("error", failed);
    child.on("close", (exitCode) => {
      if (!running.delete(id)) return;
      const [stdout, stderr] = [Buffer.concat(pieces), Buffer.concat(complaints).toString()];
      tell({ kind: "ended", id, exitCode, stdout, stderr });
    });
  } catch (reason) {
    failed(reason);
  }
}

process.on("message", (/** @type {Ask} */ ask) => {
  if (ask.kind === "run") start(ask);
  else running.get(ask.id)?.kill();
});
process.on("disconnect", () => {
  for (const child of running.values()) child.kill();
  process.exit();
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
