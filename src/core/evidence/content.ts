/**
 * How a slice's bytes travel in JSON. Owns: encoding, the byte bound and what is said about a cut.
 * Round trip: `bytesOfContent(content, encoding)` is exactly the first `returnedBytes` bytes of the slice (all of it
 * when not truncated); for `utf-8` that is what any UTF-8 encoder makes of the string, a BOM included.
 */
import { isUtf8 } from "node:buffer";
import { LIMITS } from "../../schema/common.ts";
import { sha256 } from "../git/hash.ts";

export type ContentEncoding = "utf-8" | "base64";

export interface Content {
  content: string;
  encoding: ContentEncoding;
  /** Of the whole slice, whatever was cut. */
  contentSha256: string;
  truncated: boolean;
  truncation: { returnedBytes: number; totalBytes: number; nextLine: number } | null;
}

export interface ContentOptions {
  /** Line of the blob that the slice starts with; 1 for a whole file. */
  firstLine: number;
  /** `isBinary` of the whole blob: git judges a file, not a slice. */
  binary: boolean;
  /** Most bytes of the slice in `content`. */
  maxBytes?: number | undefined;
}

const LF = 0x0a;

export function contentOf(slice: Uint8Array, options: ContentOptions): Content {
  const { firstLine, binary, maxBytes = LIMITS.contentBytes } = options;
  const encoding: ContentEncoding = binary || !isUtf8(slice) ? "base64" : "utf-8";
  const returnedBytes = slice.length <= maxBytes ? slice.length : cutAt(slice, maxBytes, encoding);
  const part = slice.subarray(0, returnedBytes);
  const truncated = returnedBytes < slice.length;
  return {
    content: encoding === "utf-8" ? decodeUtf8(part) : asBuffer(part).toString("base64"),
    encoding,
    contentSha256: sha256(slice),
    truncated,
    truncation: truncated
      ? { returnedBytes, totalBytes: slice.length, nextLine: firstLine + countFeeds(part) }
      : null,
  };
}

/** The bytes that `content` stands for. */
export function bytesOfContent(content: string, encoding: ContentEncoding): Uint8Array {
  return encoding === "utf-8" ? new TextEncoder().encode(content) : Buffer.from(content, "base64");
}

/** After the last whole line that fits; if none does, between two characters (text) or after the last byte (base64). */
function cutAt(slice: Uint8Array, maxBytes: number, encoding: ContentEncoding): number {
  if (encoding === "base64") return maxBytes;
  const lineEnd = slice.lastIndexOf(LF, maxBytes - 1);
  if (lineEnd !== -1) return lineEnd + 1;
  let at = maxBytes;
  while (at > 0 && ((slice[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

function countFeeds(bytes: Uint8Array): number {
  let feeds = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) feeds++;
  return feeds;
}

// `ignoreBOM: true` keeps a byte order mark in the text; without it the content would lose three bytes.
const decodeUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
