/**
 * Characters as a pattern over their UTF-8 bytes, for text seen as latin1 (one character per byte). So V8's expressions,
 * free of flags and locale, search bytes of any encoding and give exact byte offsets.
 */

/**
 * A pattern over bytes (one latin1 character each) for any of these characters. No two of them start alike and go on
 * differently in more than their last byte, so it decides byte by byte.
 */
export function bytePattern(characters: readonly string[]): string {
  const encoded = characters.map((character) => Buffer.from(character, "utf8"));
  const single = encoded.filter((bytes) => bytes.length === 1).map(escapeBytes);
  const alternatives = encoded.filter((bytes) => bytes.length > 1).map(escapeBytes);
  if (single.length > 0) alternatives.unshift(single.length === 1 ? single.join("") : `[${single.join("")}]`);
  return alternatives.length === 1 ? alternatives.join("") : `(?:${alternatives.join("|")})`;
}

const escapeBytes = (bytes: Buffer): string =>
  [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
