/**
 * Paths as git holds them: bytes, in any encoding or none. A `RawPath` carries each byte as one character (latin1),
 * so that it can be a map key, loses nothing, and `<` compares it as git orders a tree (`git ls-tree -r`).
 * Refuses: being shown to anybody. `pathText` gives what people and JSON see.
 */

/** A path from the repository root, one character (U+0000 to U+00FF) per byte, `/` between segments. */
export type RawPath = string;

const NON_ASCII = /[\u0080-\u00ff]/;

/** The path as text: UTF-8, with U+FFFD where its bytes are not UTF-8. Several raw paths may share one text. */
export function pathText(raw: RawPath): string {
  return NON_ASCII.test(raw) ? Buffer.from(raw, "latin1").toString("utf8") : raw;
}

/** The bytes of a text path, for paths that came as text. */
export function rawPathOfText(text: string): RawPath {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** A view of the same bytes with Buffer's fast search and decoding; copies nothing. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
