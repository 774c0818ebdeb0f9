/**
 * Lines of a blob, as git and the contract count them: split at `\n` only, `\r` belongs to its line, a final line
 * without `\n` counts, an empty blob has none. Works on bytes; never decodes, never copies.
 * Lines are 1-based and inclusive, offsets are 0-based bytes.
 */

const LF = 0x0a;

/** First and last line, both inclusive. */
export interface LineRange {
  start: number;
  end: number;
}

/** Lines as asked for; `end` left out means that one line. */
export interface LineRequest {
  start: number;
  end?: number | undefined;
}

/** How many lines the blob has. */
export function countLines(bytes: Uint8Array): number {
  let total = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) total++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== LF ? total + 1 : total;
}

/**
 * Exactly the bytes of lines start..end, terminators included, as a view into `bytes`: what
 * `tail -n +start | head -n (end - start + 1)` prints. Null when the blob lacks one of these lines.
 */
export function sliceLines(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
  if (start < 1 || end < start) return null;
  let from = 0;
  for (let line = 1; line < start; line++) {
    const feed = bytes.indexOf(LF, from);
    if (feed === -1) return null;
    from = feed + 1;
  }
  let to = from;
  for (let line = start; line <= end; line++) {
    if (to === bytes.length) return null;
    const feed = bytes.indexOf(LF, to);
    to = feed === -1 ? bytes.length : feed + 1;
  }
  return bytes.subarray(from, to);
}
