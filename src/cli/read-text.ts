/** A file or standard input (`-`) as text. Owns the errors; refuses bytes that are not UTF-8: they could not be kept. */
import { readFileSync } from "node:fs";
import { GitpinError } from "../errors.ts";

/** A byte order mark stays in the text, so that writing it back changes nothing. Throws `invalid_argument`. */
export function readText(path: string, option: string): string {
  const name = path === "-" ? "standard input" : path;
  let bytes: Buffer;
  try {
    bytes = readFileSync(path === "-" ? 0 : path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new GitpinError(
      "invalid_argument",
      `${name} cannot be read${code}.`,
      `Give ${option} the path of a file, or - for standard input.`,
      { field: option },
      { cause },
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new GitpinError(
      "invalid_argument",
      `${name} is not UTF-8 text.`,
      "Convert it to UTF-8 first.",
      { field: option },
      { cause },
    );
  }
}
