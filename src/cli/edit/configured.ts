/** The text of a client's file with our entry in it, from the text before. Owns the error for each way that fails. */

import type { Configuration } from "../../clients/client.ts";
import { GitpinError } from "../../errors.ts";
import { appendToml } from "./append-toml.ts";
import { insertJson, TakenError } from "./insert-json.ts";

/** `before` null: there is no file. Throws `invalid_argument`, and then nothing may be written. */
export function configured(before: string | null, { content }: Configuration, shownPath: string): string {
  try {
    if (content.format === "yaml") {
      if (before !== null && before !== content.text) throw new TakenError("the file holds something else");
      return content.text;
    }
    if (content.format === "toml") return appendToml(before ?? "", content);
    return content.insert.reduce(
      (text, insert) => insertJson(text, insert, content.format === "jsonc"),
      before ?? "",
    );
  } catch (cause) {
    if (cause instanceof GitpinError || !(cause instanceof Error)) throw cause;
    const taken = cause instanceof TakenError;
    throw new GitpinError(
      "invalid_argument",
      taken
        ? `${shownPath} was left as it is: ${cause.message}.`
        : `${shownPath} was left as it is, because it cannot be parsed: ${cause.message.split("\n")[0]}.`,
      taken
        ? "Remove or correct that entry, or put the printed one in by hand."
        : "Correct the file, or put the printed entry in by hand.",
      { field: "--write" },
      { cause },
    );
  }
}
