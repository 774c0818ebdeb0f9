/**
 * Values that carry no git id of their own, sealed with the SHA-256 of key and content, so that a damaged or misplaced
 * entry is noticed when it is read. A seal proves that we wrote it, not that the host told the truth.
 */
import { createHash } from "node:crypto";
import { sha256 } from "../core/git/hash.ts";

const SEAL = 64;

/** The same of a text that comes in pieces: never held as one string. */
export function sealPieces(key: string, pieces: Iterable<string>): Uint8Array {
  const encoder = new TextEncoder();
  const hash = createHash("sha256").update(`${key}\n`);
  const encoded: Uint8Array[] = [];
  let length = SEAL;
  for (const piece of pieces) {
    const bytes = encoder.encode(piece);
    hash.update(bytes);
    encoded.push(bytes);
    length += bytes.length;
  }
  const sealed = new Uint8Array(length);
  encoder.encodeInto(hash.digest("hex"), sealed);
  let at = SEAL;
  for (const bytes of encoded) {
    sealed.set(bytes, at);
    at += bytes.length;
  }
  return sealed;
}

const digest = (key: string, text: string): string => sha256(`${key}\n${text}`);

export const seal = (key: string, text: string): Uint8Array =>
  new TextEncoder().encode(`${digest(key, text)}${text}`);

/** The sealed text; null when it was damaged, cut, or written under another key. */
export function unseal(key: string, bytes: Uint8Array): string | null {
  const all = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false }).decode(bytes);
  const text = all.slice(SEAL);
  return all.slice(0, SEAL) === digest(key, text) ? text : null;
}
