/**
 * `GET git/trees/{sha}`, read row by row: a recursive answer may have 100,000 rows of some 300 bytes, of which a third is of use.
 * Its JSON is never built as a whole, which would take several times its size in memory. Follows GitHub's OpenAPI description;
 * what is not of that form is `upstream_unexpected`, what is not whole `upstream_corrupt`.
 */
import type { ObjectId } from "../core/git/object-id.ts";
import type { ListedRow } from "../core/git/tree-listing.ts";
import { elementSpans, memberSpans, parseSpan } from "../core/json-scan.ts";
import { assertJson } from "./answers.ts";
import { corrupt, unexpected } from "./failure.ts";

const FULL_ID = /^[0-9a-f]{40}$/;
const MODE = /^[0-7]{5,6}$/;
const TYPES = ["blob", "tree", "commit"] as const;

export interface TreeAnswer {
  sha: ObjectId;
  truncated: boolean;
  /** To be read once; throws where a row is not of the form. */
  rows: Iterable<ListedRow>;
}

/** One string object for each mode there is, however many rows have it. */
const modes = new Map<string, string>();

function modeOf(text: unknown): string | null {
  if (typeof text !== "string" || !MODE.test(text)) return null;
  const known = modes.get(text);
  if (known === undefined && modes.size < 100) modes.set(text, text);
  return known ?? text;
}

/** One row; null when it is not of the documented form. */
function treeRow(row: unknown): ListedRow | null {
  if (typeof row !== "object" || row === null) return null;
  const { path, mode: given, type: named, sha, size } = row as Record<string, unknown>;
  const mode = modeOf(given);
  const type = TYPES.find((one) => one === named);
  if (typeof path !== "string" || path === "" || mode === null || type === undefined) return null;
  if (typeof sha !== "string" || !FULL_ID.test(sha)) return null;
  const whole = typeof size === "number" && Number.isSafeInteger(size) && size >= 0;
  return { path, mode, type, id: sha, size: whole ? size : null };
}

/** `what` names it in errors. */
export function readTreeAnswer(
  { bytes, contentType }: { bytes: Uint8Array; contentType: string },
  what: string,
): TreeAnswer {
  assertJson(contentType, what);
  const members = memberSpans(bytes);
  if (members === null) throw corrupt(what, "it is not whole JSON");
  const value = (name: string): unknown => {
    const span = members.get(name);
    return span === undefined ? undefined : parseSpan(bytes, span);
  };
  const sha = value("sha");
  const truncated = value("truncated");
  const tree = members.get("tree");
  if (typeof sha !== "string" || !FULL_ID.test(sha)) throw unexpected(what, "sha is not as documented");
  if (typeof truncated !== "boolean") throw unexpected(what, "truncated is not as documented");
  if (tree === undefined) throw unexpected(what, "tree is not as documented");
  function* rows(from: NonNullable<typeof tree>): Generator<ListedRow> {
    for (const span of elementSpans(bytes, from)) {
      const parsed = span === null ? undefined : parseSpan(bytes, span);
      if (parsed === undefined) throw corrupt(what, "it is not whole JSON");
      const row = treeRow(parsed);
      if (row === null) throw unexpected(what, "a row is not as documented");
      yield row;
    }
  }
  return { sha, truncated, rows: rows(tree) };
}
