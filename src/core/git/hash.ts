/**
 * Hashing of git objects and of slices; the one place that touches a digest. Deterministic, synchronous.
 * Follows git's object format: `<type> SP <decimal length> NUL <bytes>` under SHA-1.
 */
import { createHash } from "node:crypto";
import type { ObjectId } from "./object-id.ts";

export type ObjectType = "blob" | "tree" | "commit" | "tag";

/** The id git gives to an object of this type with exactly these bytes. */
export function objectId(type: ObjectType, bytes: Uint8Array): ObjectId {
  return createHash("sha1").update(`${type} ${bytes.byteLength}\0`).update(bytes).digest("hex");
}

/** The same for an object that is too big to hold: its bytes come in pieces, their sum must be `size`. */
export function objectHasher(
  type: ObjectType,
  size: number,
): { update(piece: Uint8Array): void; id(): ObjectId } {
  const hash = createHash("sha1").update(`${type} ${size}\0`);
  return { update: (piece) => void hash.update(piece), id: () => hash.digest("hex") };
}

/** Lower-case hex SHA-256 of raw bytes, as `sha256sum` prints it. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
