/**
 * One 512-byte tar header and one pax record list, decoded to bytes and numbers.
 * Follows POSIX.1-2001 (ustar, pax) and GNU tar's base-256 numbers; text is never assumed to be UTF-8.
 */
import { corruptArchive } from "./corrupt.ts";
import { asBuffer } from "./raw-path.ts";

export const BLOCK = 512;

export interface TarHeader {
  /** Type flag as a character: `0` file, `2` symlink, `5` directory, `g` and `x` pax, `L` and `K` GNU long names. */
  type: string;
  /** Name with ustar's prefix, one character per byte. */
  name: string;
  /** Link target, one character per byte. */
  link: string;
  mode: number;
  /** Bytes of content that follow the header. */
  size: number;
}

/** The field up to its first NUL, one character per byte. */
function field(block: Buffer, offset: number, length: number): string {
  const nul = block.indexOf(0, offset);
  const end = nul < 0 || nul > offset + length ? offset + length : nul;
  return block.toString("latin1", offset, end);
}

function octal(block: Buffer, offset: number, length: number, what: string): number {
  const first = block[offset] ?? 0;
  if ((first & 0x80) !== 0) {
    let value = first & 0x7f;
    for (let i = 1; i < length; i++) value = value * 256 + (block[offset + i] ?? 0);
    if (!Number.isSafeInteger(value)) throw corruptArchive(`a header's ${what} is absurd`);
    return value;
  }
  const digits = field(block, offset, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw corruptArchive(`a header's ${what} is no octal number`);
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

/** True for the all-zero block that, twice, ends a tar. */
export function isZeroBlock(block: Uint8Array): boolean {
  for (let i = 0; i < BLOCK; i++) if (block[i] !== 0) return false;
  return true;
}

/** Throws `upstream_corrupt` when the checksum or a number does not hold. */
export function parseHeader(bytes: Uint8Array): TarHeader {
  const block = asBuffer(bytes);
  let sum = 8 * 32;
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += block[i] ?? 0;
  if (sum !== octal(block, 148, 8, "checksum")) throw corruptArchive("a header's checksum does not hold");
  const name = field(block, 0, 100);
  // GNU's own format ("ustar  ") uses the prefix field for other things.
  const prefix = block.toString("latin1", 257, 263) === "ustar\0" ? field(block, 345, 155) : "";
  const flag = block[156] ?? 0;
  return {
    type: flag === 0 ? "0" : String.fromCharCode(flag),
    name: prefix === "" ? name : `${prefix}/${name}`,
    link: field(block, 157, 100),
    mode: octal(block, 100, 8, "mode"),
    size: octal(block, 124, 12, "size"),
  };
}

/** Records of a pax header: `<length> <key>=<value>\n`. Keys and values one character per byte. */
export function parsePax(bytes: Uint8Array): Map<string, string> {
  const text = asBuffer(bytes).toString("latin1");
  const records = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const space = text.indexOf(" ", at);
    const digits = space < 0 ? "" : text.slice(at, space);
    const end = /^[0-9]{1,9}$/.test(digits) ? at + Number(digits) : -1;
    const equals = text.indexOf("=", space);
    if (end <= space || end > text.length || text[end - 1] !== "\n" || equals < 0 || equals >= end) {
      throw corruptArchive("a pax record does not parse");
    }
    records.set(text.slice(space + 1, equals), text.slice(equals + 1, end - 1));
    at = end;
  }
  return records;
}
