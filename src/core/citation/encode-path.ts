/**
 * The percent form of a path inside `cite` and `handle`. Encoded, as UTF-8 bytes: what the two forms are built with
 * (`%`, `:`, `@`, `#`), white space (Unicode's and JavaScript's, so the byte order mark too: readers trim it), control
 * characters (Cc), and bidirectional controls, with which a path could show as another than it is. Everything else,
 * non-ASCII too, stays as it is.
 */

const ENCODED = /[%:@#\s\p{White_Space}\p{Cc}\p{Bidi_Control}]/gu;

/** Well-formed paths only (see `pathFault`): half a surrogate pair has no UTF-8 bytes. */
export const encodePath = (path: string): string => path.replace(ENCODED, percentBytes);

/** Whether the text holds a character that `encodePath` would not leave as it is, `%` set aside. */
export const holdsRawCharacter = (text: string): boolean => text.replaceAll("%", "").search(ENCODED) !== -1;

function percentBytes(character: string): string {
  let out = "";
  for (const byte of new TextEncoder().encode(character)) {
    out += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}
