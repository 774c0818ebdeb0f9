/**
 * The form of a bearer token: `gpe_<id>_<secret>`. The id (16 hex digits) names it in lists, logs and revocations; the
 * secret is 32 random bytes. Only the SHA-256 of the whole token is ever stored: 256 random bits need no slow hash.
 * Pure: random bytes are passed in.
 */
import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../core/git/hash.ts";

const FORM = /^gpe_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** How many random bytes one token takes. */
export const TOKEN_BYTES = 40;

export interface MintedToken {
  id: string;
  /** Shown once to who asked for it, then forgotten. */
  token: string;
  hash: string;
}

/** What is told of a presented token: its public id and its hash, never itself. */
export interface TokenProof {
  id: string;
  hash: string;
}

/** `random`: `TOKEN_BYTES` bytes of a cryptographic source. */
export function mintToken(random: Uint8Array): MintedToken {
  if (random.byteLength !== TOKEN_BYTES) throw new RangeError(`a token takes ${TOKEN_BYTES} random bytes`);
  const id = Buffer.from(random.subarray(0, 8)).toString("hex");
  const token = `gpe_${id}_${Buffer.from(random.subarray(8)).toString("base64url")}`;
  return { id, token, hash: sha256(token) };
}

/** Null: not of the form, so none that was ever issued. */
export function proofOf(token: string): TokenProof | null {
  const id = FORM.exec(token)?.[1];
  return id === undefined ? null : { id, hash: sha256(token) };
}

/** Whether two SHA-256 in hex are equal, in time that does not depend on where they differ. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return left.byteLength === 32 && right.byteLength === 32 && timingSafeEqual(left, right);
}
