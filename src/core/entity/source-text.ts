/**
 * A source file as text, with the way between UTF-16 units (what parsers count) and bytes (what git holds).
 * The text keeps everything: BOM, CRLF, a missing final newline. Refuses what is not UTF-8 text, by reason.
 */
import { sourceRefused } from "./source-refused.ts";

/** Bytes of a file that are parsed at most. */
export const SOURCE_BYTES = 512 * 1024;
/** As git does: a NUL in the first 8,000 bytes makes a file binary. */
const BINARY_PROBE = 8_000;
const LFS_POINTER = "version https://git-lfs.github.com/spec/v1\n";
const LFS_POINTER_BYTES = 1_024;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export class SourceText {
  readonly bytes: Uint8Array;
  readonly text: string;
  #byteOffsets: Uint32Array | undefined;
  #lineStarts: number[] | undefined;

  /** Throws `source_refused`: too_large, lfs_pointer, binary or not_utf8. */
  constructor(bytes: Uint8Array, path?: string) {
    if (bytes.byteLength > SOURCE_BYTES) throw sourceRefused("too_large", path);
    if (isLfsPointer(bytes)) throw sourceRefused("lfs_pointer", path);
    if (bytes.subarray(0, BINARY_PROBE).includes(0)) throw sourceRefused("binary", path);
    this.bytes = bytes;
    try {
      this.text = decoder.decode(bytes);
    } catch {
      throw sourceRefused("not_utf8", path);
    }
  }

  /**
   * Text made here. Throws `source_refused` also where it holds half of a surrogate pair (UTF-8 cannot carry it) or a
   * NUL anywhere (git would call the file binary, or not, by its place).
   */
  static of(text: string, path?: string): SourceText {
    if (!text.isWellFormed()) throw sourceRefused("not_utf8", path);
    if (text.includes("\0")) throw sourceRefused("binary", path);
    return new SourceText(encoder.encode(text), path);
  }

  /** Bytes before this unit. */
  byteAt(unit: number): number {
    if (this.bytes.byteLength === this.text.length) return unit;
    this.#byteOffsets ??= byteOffsets(this.text);
    const byte = this.#byteOffsets[unit];
    if (byte === undefined) throw new RangeError(`unit ${unit} is outside the text`);
    return byte;
  }

  /** Line of this unit, 1-based; lines end with LF. */
  lineAt(unit: number): number {
    this.#lineStarts ??= lineStarts(this.text);
    let low = 0;
    let high = this.#lineStarts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Column of this unit in its line, 1-based, in UTF-16 units. */
  columnAt(unit: number): number {
    return unit - (this.text.lastIndexOf("\n", unit - 1) + 1) + 1;
  }

  /** What its lines end with: the first line decides. */
  get lineEnding(): "\n" | "\r\n" {
    const end = this.text.indexOf("\n");
    return end > 0 && this.text[end - 1] === "\r" ? "\r\n" : "\n";
  }
}

export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.byteLength > LFS_POINTER_BYTES) return false;
  const head = bytes.subarray(0, LFS_POINTER.length);
  return head.length === LFS_POINTER.length && head.every((byte, at) => byte === LFS_POINTER.charCodeAt(at));
}

function byteOffsets(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1);
  let byte = 0;
  for (let unit = 0; unit < text.length; unit++) {
    offsets[unit] = byte;
    const code = text.charCodeAt(unit);
    if (code < 0x80) byte += 1;
    else if (code < 0x800) byte += 2;
    // A surrogate pair takes four bytes: two are counted on each half.
    else if (code >= 0xd800 && code <= 0xdfff) byte += 2;
    else byte += 3;
  }
  offsets[text.length] = byte;
  return offsets;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
