/** JSON that a file on the command line holds. What is no JSON is named by its file, with the parser's own reason. */
import { GitpinError } from "../errors.ts";

/** Throws `invalid_argument`. `field` is the option or file that the error names. */
export function parseJson(text: string, file: string, nextStep: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GitpinError(
      "invalid_argument",
      `${file} is not JSON: ${cause instanceof Error ? cause.message : "it cannot be parsed"}.`,
      nextStep,
      { field },
    );
  }
}
