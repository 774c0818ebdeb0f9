/**
 * Recognises a Git LFS pointer, so that nobody takes it for the file it stands for. Follows the Git LFS specification
 * (docs/spec.md of git-lfs): UTF-8, under 1024 bytes, `key SP value LF` lines, `version` first, the other keys sorted
 * and unique, `oid sha256:<64 hex>` and `size` among them. Refuses to fetch anything.
 */

export interface LfsPointer {
  /** Lower-case hex SHA-256 of the file's own bytes. */
  oid: string;
  /** Their number in bytes. */
  size: number;
}

const SIZE_BOUND = 1024;
const VERSIONS = new Set(["https://git-lfs.github.com/spec/v1", "https://hawser.github.com/spec/v1"]);
const LINE = /^([a-z0-9.-]+) ([^\r\n]+)$/;

/** Null when the blob is not a pointer. */
export function readLfsPointer(bytes: Uint8Array): LfsPointer | null {
  if (bytes.length === 0 || bytes.length >= SIZE_BOUND) return null;
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  if (!text.startsWith("version ") || !text.endsWith("\n")) return null;

  const pairs = new Map<string, string>();
  let previous = "";
  for (const [index, line] of text.slice(0, -1).split("\n").entries()) {
    const match = LINE.exec(line);
    const key = match?.[1];
    const value = match?.[2];
    if (key === undefined || value === undefined) return null;
    if (index === 0 ? key !== "version" : key === "version" || key <= previous) return null;
    if (index > 0) previous = key;
    pairs.set(key, value);
  }

  const oid = /^sha256:([0-9a-f]{64})$/.exec(pairs.get("oid") ?? "")?.[1];
  const size = /^[0-9]{1,15}$/.exec(pairs.get("size") ?? "")?.[0];
  if (!VERSIONS.has(pairs.get("version") ?? "") || oid === undefined || size === undefined) return null;
  return { oid, size: Number(size) };
}
