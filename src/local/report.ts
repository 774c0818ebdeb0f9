// What stopped a local run, on standard error: what is wrong and what to do. Exit code 1.
import { asGitpinError, GitpinError } from "../errors.ts";

export function report(thrown: unknown): void {
  const error = asGitpinError(thrown);
  process.exitCode = 1;
  if (error.code !== "internal") {
    console.error(`${error.message}\n${error.nextStep}`);
    return;
  }
  // Not foreseen: all there is to know.
  console.error(error.cause instanceof Error ? error.cause.stack : error.cause);
}

/** A start that failed in the runtime, told by its cause where that is known. */
export function startFault(cause: unknown, port: number, stateFolder: string): unknown {
  const text = cause instanceof Error ? cause.message : String(cause);
  const told = (message: string, nextStep: string) =>
    new GitpinError("invalid_argument", message, nextStep, {}, { cause });
  if (/in use|EADDRINUSE/i.test(text)) {
    return told(
      `Port ${port} is in use.`,
      "Stop what listens there, or take any free one: npm start -- --port 0",
    );
  }
  if (/EACCES.*(bind|listen)|permission denied.*(bind|listen)|bind\(.*[Pp]ermission/.test(text)) {
    return told(
      `Port ${port} may not be used by this user.`,
      "Take one above 1023: npm start -- --port 8787",
    );
  }
  if (/EACCES|EROFS|ENOTDIR|EEXIST|ENOSPC/.test(text)) {
    return told(
      `The cache cannot be kept in ${stateFolder}.`,
      "Name a folder that can be written to: npm start -- --state FOLDER",
    );
  }
  return cause;
}
