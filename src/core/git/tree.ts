/**
 * Tree objects: encoding, decoding, and the order of their entries. Pure.
 * Follows git's object format: `<mode> SP <name> NUL <20 bytes>` per entry, ordered by the names' UTF-8 bytes, where a
 * directory compares as if its name ended in `/`. Names are single path segments here; whole paths live in `tree-listing.ts`.
 */
import type { ObjectId } from "./object-id.ts";

/** One name of one tree. `mode` in octal digits, with or without leading zeros. */
export interface TreeItem {
  name: string;
  mode: string;
  id: ObjectId;
}

/** The id of the tree without entries, which a host may not store. */
export const EMPTY_TREE: ObjectId = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const utf8 = new TextEncoder();
const SURROGATE = /[\ud800-\udfff]/;

/** Leading zeros are a matter of print: a tree holds `40000` where `git ls-tree` prints `040000`. */
const storedMode = (mode: string): string => mode.replace(/^0+/, "");

export const isDirectoryMode = (mode: string): boolean => storedMode(mode) === "40000";

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Git's order of two entries of one tree. */
export function compareItems(a: { name: string; mode: string }, b: { name: string; mode: string }): number {
  const left = isDirectoryMode(a.mode) ? `${a.name}/` : a.name;
  const right = isDirectoryMode(b.mode) ? `${b.name}/` : b.name;
  // UTF-16 order and UTF-8 order differ only where surrogate pairs are involved.
  if (SURROGATE.test(left) || SURROGATE.test(right))
    return compareBytes(utf8.encode(left), utf8.encode(right));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The bytes of the tree that holds these entries, in whatever order they are given. */
export function encodeTree(items: Iterable<TreeItem>): Uint8Array {
  const records = [...items].sort(compareItems).map((item) => ({
    head: utf8.encode(`${storedMode(item.mode)} ${item.name}\0`),
    id: item.id,
  }));
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + record.head.length + 20, 0));
  let at = 0;
  for (const { head, id } of records) {
    bytes.set(head, at);
    at += head.length;
    for (let i = 0; i < 40; i += 2) bytes[at++] = Number.parseInt(id.slice(i, i + 2), 16);
  }
  return bytes;
}

/**
 * The entries of a raw tree in stored order, modes padded to six digits; names that are not UTF-8 hold U+FFFD.
 * Null when the bytes are not a tree.
 */
export function decodeTree(bytes: Uint8Array): TreeItem[] | null {
  const items: TreeItem[] = [];
  const text = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    const nul = space < 0 ? -1 : bytes.indexOf(0, space + 1);
    if (nul < 0 || nul + 21 > bytes.length) return null;
    const mode = text.decode(bytes.subarray(at, space));
    const name = text.decode(bytes.subarray(space + 1, nul));
    if (!/^[0-7]{1,6}$/.test(mode) || name === "") return null;
    let id = "";
    for (const byte of bytes.subarray(nul + 1, nul + 21)) id += byte.toString(16).padStart(2, "0");
    items.push({ mode: mode.padStart(6, "0"), name, id });
    at = nul + 21;
  }
  return items;
}
