/**
 * Finds values in a JSON text without building it: for texts too large to parse, of which little is wanted. Works on UTF-8 bytes
 * and gives spans of them; whoever wants a value parses its span alone, which also checks it. Iterative, so no nesting is too
 * deep. Refuses a text whose quotes and brackets do not close (`null`), as one that was cut; what lies between is not judged.
 */

/** First byte and the byte after the last, 0-based. */
export interface Span {
  from: number;
  to: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** The byte after a string that begins at `from`; -1 when it never ends. */
function stringEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
  return -1;
}

/** The byte after a value that begins at `from`; -1 when it never ends. */
function valueEnd(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at);
      if (end === -1) return -1;
      if (depth === 0) return end;
      at = end - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) {
      return at;
    }
  }
  return -1;
}

/** The members of the object that begins at `from`, by name; of equal names the last one. Null: it is no whole object. */
export function memberSpans(bytes: Uint8Array, from = 0): Map<string, Span> | null {
  const members = new Map<string, Span>();
  let at = skipSpace(bytes, from);
  if (bytes[at] !== OPEN_BRACE) return null;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_BRACE) return members;
  for (;;) {
    if (bytes[at] !== QUOTE) return null;
    const nameEnd = stringEnd(bytes, at);
    if (nameEnd === -1) return null;
    const name = parseSpan(bytes, { from: at, to: nameEnd });
    const colon = skipSpace(bytes, nameEnd);
    if (bytes[colon] !== COLON || typeof name !== "string") return null;
    const value = skipSpace(bytes, colon + 1);
    const end = valueEnd(bytes, value);
    if (end <= value) return null;
    members.set(name, { from: value, to: end });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACE) return members;
    if (bytes[at] !== COMMA) return null;
    at = skipSpace(bytes, at + 1);
  }
}

/** The elements of the array at `span`, one after the other; null as the last one when it is no whole array. */
export function* elementSpans(bytes: Uint8Array, span: Span): Generator<Span | null> {
  let at = skipSpace(bytes, span.from);
  if (bytes[at] !== OPEN_BRACKET) return yield null;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_BRACKET) return;
  for (;;) {
    const end = valueEnd(bytes, at);
    if (end <= at || end > span.to) return yield null;
    yield { from: at, to: end };
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACKET) return;
    if (bytes[at] !== COMMA) return yield null;
    at = skipSpace(bytes, at + 1);
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The value of a span; undefined when it is no JSON. */
export function parseSpan(bytes: Uint8Array, { from, to }: Span): unknown {
  try {
    return JSON.parse(strict.decode(bytes.subarray(from, to))) as unknown;
  } catch {
    return undefined;
  }
}
