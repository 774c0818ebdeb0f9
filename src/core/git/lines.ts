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

/** Where lines begin and end in one blob. Build it once when several lines of the same blob are asked for. */
export interface LineIndex {
  /** Number of lines. */
  readonly total: number;
  /** Length of the blob in bytes. */
  readonly byteLength: number;
  /** `starts[n - 1]` is the offset of line n's first byte. */
  readonly starts: Uint32Array;
}

/** How many lines the blob has. */
export function countLines(bytes: Uint8Array): number {
  let total = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) total++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== LF ? total + 1 : total;
}

/** One pass over the blob; 4 bytes of memory a line. */
export function indexLines(bytes: Uint8Array): LineIndex {
  const starts = new Uint32Array(countLines(bytes));
  let line = 0;
  let open = true;
  for (let at = 0; at < bytes.length; at++) {
    if (open) starts[line++] = at;
    open = bytes[at] === LF;
  }
  return { total: starts.length, byteLength: bytes.length, starts };
}

/** First byte and the byte after the last of lines start..end; null when the blob lacks one of them. */
export function lineOffsets(
  index: LineIndex,
  start: number,
  end: number,
): { from: number; to: number } | null {
  if (start < 1 || end < start || end > index.total) return null;
  return { from: index.starts[start - 1] ?? 0, to: index.starts[end] ?? index.byteLength };
}

/** The line that holds the byte at `offset`; offsets beyond the blob belong to its last line, 0 when it has none. */
export function lineAt(index: LineIndex, offset: number): number {
  let low = 0;
  let high = index.total;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((index.starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
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
