/**
 * Tree objects: encoding, and the order of their entries. Pure.
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

/** Only names with such units can stand in another order as UTF-16 than as UTF-8. */
const HIGH = /[\ud800-\uffff]/;

/** Leading zeros are a matter of print: a tree holds `40000` where `git ls-tree` prints `040000`. */
const storedMode = (mode: string): string => mode.replace(/^0+/, "");

const sortKey = ({ name, mode }: { name: string; mode: string }): string =>
  /^0?4\d{4}$/.test(mode) ? `${name}/` : name;

/** The same entries in git's order. */
export function inGitOrder<T extends { name: string; mode: string }>(items: readonly T[]): T[] {
  const keyed = items.map((item) => ({ item, key: sortKey(item) }));
  if (keyed.some(({ key }) => HIGH.test(key))) {
    const bytes = new Map(keyed.map((each) => [each, utf8.encode(each.key)] as const));
    const none = new Uint8Array();
    keyed.sort((a, b) => Buffer.compare(bytes.get(a) ?? none, bytes.get(b) ?? none));
  } else {
    keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }
  return keyed.map(({ item }) => item);
}

/** Value of the hex digit with this character code. */
const digit = (code: number): number => (code & 15) + (code >> 6) * 9;

/** The bytes of the tree that holds these entries, in whatever order they are given. Ids are hex. */
export function encodeTree(items: readonly TreeItem[]): Uint8Array {
  const bytes = new Uint8Array(items.reduce((sum, item) => sum + item.name.length * 3 + 30, 0));
  let at = 0;
  for (const { name, mode, id } of inGitOrder(items)) {
    at += utf8.encodeInto(`${storedMode(mode)} ${name}\0`, bytes.subarray(at)).written;
    for (let i = 0; i < 40; i += 2) {
      bytes[at++] = digit(id.charCodeAt(i)) * 16 + digit(id.charCodeAt(i + 1));
    }
  }
  return bytes.subarray(0, at);
}
