/**
 * Puts new text in the place of a file, whole or not at all: written beside it, then renamed over it. Follows a symbolic
 * link to the file it names, keeps its mode, and refuses when the file changed since it was read.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { GitpinError } from "../errors.ts";

/** `before`: the text that was read there; null for a file that must not exist yet (folders are made). */
export function replaceFile(path: string, before: string | null, after: string): void {
  if (before === null) {
    mkdirSync(dirname(path), { recursive: true });
    // `wx`: a file that came meanwhile stays.
    writeFileSync(path, after, { flag: "wx" });
    return;
  }
  const target = realpathSync(path);
  const beside = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    writeFileSync(beside, after, { flag: "wx", mode: statSync(target).mode & 0o777 });
    if (!readFileSync(target).equals(Buffer.from(before))) {
      throw new GitpinError(
        "invalid_argument",
        `${path} changed while this command ran.`,
        "Run the command again.",
        { field: path },
      );
    }
    renameSync(beside, target);
  } finally {
    rmSync(beside, { force: true });
  }
}
