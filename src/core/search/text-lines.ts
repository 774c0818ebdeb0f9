/**
 * Bytes of a repository as text for the regular expression engine. Valid UTF-8 is decoded as it is (a byte order mark
 * stays a character). Where bytes are not UTF-8, each such byte becomes one lone surrogate, U+DC00 plus its value:
 * `.` and a negated class match it, nothing a person writes does, and its offset stays exact.
 */

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const NEWLINE = 10;

/** `bytes[from, to)` as text with the same lines. */
export function decodeText(bytes: Buffer, from: number, to: number): string {
  return decodeStrict(bytes.subarray(from, to)) ?? decodeByLine(bytes, from, to);
}

function decodeStrict(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

function decodeByLine(bytes: Buffer, from: number, to: number): string {
  const lines: string[] = [];
  for (let start = from; start < to; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 || newline >= to ? to : newline + 1;
    const line = bytes.subarray(start, end);
    lines.push(decodeStrict(line) ?? decodeByCharacter(line));
    start = end;
  }
  return lines.join("");
}

function decodeByCharacter(line: Buffer): string {
  let text = "";
  for (let at = 0; at < line.length; ) {
    const length = characterLength(line[at] ?? 0);
    const character = decodeStrict(line.subarray(at, at + length));
    text += character ?? String.fromCharCode(0xdc00 + (line[at] ?? 0));
    at += character === null ? 1 : length;
  }
  return text;
}

/** Length of the UTF-8 sequence that starts with this byte; 1 where none does. */
const characterLength = (byte: number): number =>
  byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;

/** How many bytes `text[0, units)` was decoded from. */
export function byteLengthOf(text: string, units: number): number {
  let bytes = 0;
  for (let at = 0; at < units; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      bytes += 4;
      at += 1;
    } else bytes += unit >= 0xdc00 && unit < 0xe000 ? 1 : 3;
  }
  return bytes;
}
