/** Whether bytes hold a text: its UTF-8 bytes, exactly, case-sensitively, across lines. Works for any encoding. */

export function containsText(bytes: Uint8Array, text: string): boolean {
  // Half a surrogate pair has no UTF-8 form; encoders put U+FFFD there, which is another text.
  if (!text.isWellFormed()) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from(text, "utf8"));
}
