/**
 * Proof of trees that a host listed as text: each is encoded again and its id compared with the listed one. Pure.
 * Refuses a tree whose names and modes are all plain and whose id differs: such a listing was damaged. Where the text cannot
 * carry what the tree holds (names that are not UTF-8, group-writable modes of old trees), the listing is the host's word.
 */
import { objectId } from "./hash.ts";
import type { ObjectId } from "./object-id.ts";
import { encodeTree, type TreeItem } from "./tree.ts";

/** `damaged`: the id differs although nothing about the names and modes explains it. */
export type TreeFinding = "hashed" | "attested" | "damaged";

const PLAIN_MODES = new Set(["100644", "100755", "120000", "160000", "040000", "40000"]);

const hasId = (id: ObjectId, items: readonly TreeItem[]): boolean =>
  objectId("tree", encodeTree(items)) === id;

/** Whether a host's text says all there is to say about this entry. */
const isPlain = ({ name, mode }: TreeItem): boolean =>
  PLAIN_MODES.has(mode) && !name.includes("\ufffd") && name.isWellFormed();

/** Whether the id is that of the same names and ids under the mode 100664, which hosts may print as 100644. */
function holdsOldModes(id: ObjectId, items: readonly TreeItem[]): boolean {
  const older = (item: TreeItem): TreeItem => (item.mode === "100644" ? { ...item, mode: "100664" } : item);
  if (hasId(id, items.map(older))) return true;
  if (items.length > 200) return false;
  return items.some((item, at) => item.mode === "100644" && hasId(id, items.with(at, older(item))));
}

/** The plain mode that an odd one of the same file type is nearest to. */
function plainMode(mode: string): string {
  if (PLAIN_MODES.has(mode)) return mode;
  const bits = Number.parseInt(mode, 8);
  const type = (bits & 0o170000).toString(8).padStart(6, "0");
  if (type !== "100000") return type;
  return (bits & 0o100) === 0 ? "100644" : "100755";
}

/** Whether plain modes in place of the odd ones give the id: then the odd ones are damage, not history. */
const holdsPlainModes = (id: ObjectId, items: readonly TreeItem[]): boolean =>
  hasId(
    id,
    items.map((item) => ({ ...item, mode: plainMode(item.mode) })),
  );

/** Compares one tree's entries with the id it is listed under. */
export function proveTree(id: ObjectId, items: readonly TreeItem[]): TreeFinding {
  if (hasId(id, items)) return "hashed";
  if (!items.every(isPlain)) return holdsPlainModes(id, items) ? "damaged" : "attested";
  return holdsOldModes(id, items) ? "attested" : "damaged";
}
