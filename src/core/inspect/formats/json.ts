/**
 * JSON, and JSON with comments: `//` and block comments and a comma before a closing bracket, as `deno.jsonc`,
 * `wrangler.jsonc` and `turbo.json` are written. Everything else is left to `JSON.parse`.
 */
import { type Parsed, parsedBy } from "./parsed.ts";

export const parseJson = (text: string): Parsed => parsedBy("JSON", () => JSON.parse(text));

export const parseJsonc = (text: string): Parsed =>
  parsedBy("JSON with comments", () => JSON.parse(withoutComments(text)));

/** A string (also one that never ends), a comment, a run of white space, or one other character. */
const PIECE = /"[^"\\]*(?:\\.[^"\\]*)*"?|\/\/[^\n\r]*|\/\*.*?(?:\*\/|$)|\s+|./gsu;

/** Comments become one space; a comma waits until it is known that no closing bracket follows a value and it. */
function withoutComments(text: string): string {
  const out: string[] = [];
  let last = "";
  let comma = false;
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece.startsWith("/*") && !(piece.length >= 4 && piece.endsWith("*/"))) return text;
    const comment = piece.startsWith("//") || piece.startsWith("/*");
    if (comment || piece.trim() === "") {
      out.push(comment ? " " : piece);
      continue;
    }
    const closing = piece === "}" || piece === "]";
    if (comma && !(closing && last !== "[" && last !== "{" && last !== "")) out.push(",");
    comma = piece === ",";
    if (comma) continue;
    out.push(piece);
    last = piece;
  }
  if (comma) out.push(",");
  return out.join("");
}
