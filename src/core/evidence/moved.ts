/**
 * Finds cited lines that stand elsewhere in another version of their file. Follows the contract's `moved`: exactly
 * once, as whole lines, with at least one letter or digit (a lone brace proves nothing).
 *
 * Bytes decide what a whole line is. A slice without a final line feed is the end of its file, so it stands only where
 * the other version ends the same way: `end` is not the line `end\n`, as git's own diff says.
 */
import { countLines, type LineRange } from "../git/lines.ts";

const LF = 0x0a;
const WORDY = /[\p{L}\p{N}]/u;

/** Lines of `head` that are the slice, 1-based and inclusive; null when there is none, or more than one such place. */
export function findMoved(slice: Uint8Array, head: Uint8Array): LineRange | null {
  if (slice.length === 0 || slice.length > head.length) return null;
  const at = slice.at(-1) === LF ? onlyPlace(slice, head) : placeAtEnd(slice, head);
  if (at === null || !isWordy(slice)) return null;
  const start = countLines(head.subarray(0, at)) + 1;
  return { start, end: start + countLines(slice) - 1 };
}

/** Offset of the only line-aligned occurrence. Overlapping ones count each. */
function onlyPlace(slice: Uint8Array, head: Uint8Array): number | null {
  const haystack = asBuffer(head);
  // With the line feed before it, every hit but the one at the start of the file is aligned.
  const needle = Buffer.concat([Buffer.of(LF), slice]);
  const first = haystack.indexOf(needle);
  const atStart = haystack.subarray(0, slice.length).equals(slice);
  if (atStart) return first === -1 ? 0 : null;
  if (first === -1 || haystack.indexOf(needle, first + 1) !== -1) return null;
  return first + 1;
}

function placeAtEnd(slice: Uint8Array, head: Uint8Array): number | null {
  const at = head.length - slice.length;
  const aligned = at === 0 || head[at - 1] === LF;
  return aligned && asBuffer(head).subarray(at).equals(slice) ? at : null;
}

// Bytes that are not UTF-8 become U+FFFD, which is neither letter nor digit; the rest is still judged.
const isWordy = (slice: Uint8Array): boolean =>
  WORDY.test(new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(slice));

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
