/**
 * The id of a set of citations. Recipe, so that anyone can compute it without us:
 *
 *   one line per item: repository TAB path TAB full SHA TAB first line TAB last line LF
 *   (path percent-encoded as in `cite`; both line fields empty for a whole file), then
 *   `LC_ALL=C sort -u | sha256sum`
 *
 * A set holds a thing once, so duplicates count once; the order asked in and the claims made of it do not count.
 */
import { encodePath } from "../citation/encode-path.ts";
import { sha256 } from "../git/hash.ts";

/** What an item needs; a `Citation` has it all. `lineEnd` null or left out with a `line` means that one line. */
export interface SetItem {
  repository: string;
  sourcePath: string;
  commitSha: string;
  line: number | null;
  lineEnd: number | null;
}

/** The text that is hashed. */
export function evidenceSetText(items: readonly SetItem[]): string {
  const lines = items.map((item) => {
    const last = item.line === null ? null : (item.lineEnd ?? item.line);
    const fields = [
      item.repository,
      encodePath(item.sourcePath),
      item.commitSha,
      item.line ?? "",
      last ?? "",
    ];
    return fields.join("\t");
  });
  // By bytes, as sort does in the C locale; JavaScript's own order is by UTF-16 units.
  const sorted = [...new Set(lines)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sorted.map((line) => `${line}\n`).join("");
}

/** 64 lower-case hex digits. */
export const evidenceSetId = (items: readonly SetItem[]): string => sha256(evidenceSetText(items));
