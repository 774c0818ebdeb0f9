/**
 * Values that carry no git id of their own, sealed with the SHA-256 of key and content, so that a damaged or misplaced
 * entry is noticed when it is read. A seal proves that we wrote it, not that the host told the truth.
 */
import { sha256 } from "../core/git/hash.ts";

const SEAL = 64;

const digest = (key: string, text: string): string => sha256(`${key}\n${text}`);

export const seal = (key: string, text: string): Uint8Array =>
  new TextEncoder().encode(`${digest(key, text)}${text}`);

/** The sealed text; null when it was damaged, cut, or written under another key. */
export function unseal(key: string, bytes: Uint8Array): string | null {
  const all = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false }).decode(bytes);
  const text = all.slice(SEAL);
  return all.slice(0, SEAL) === digest(key, text) ? text : null;
}
