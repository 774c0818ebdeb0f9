/**
 * Pull parser of a tar stream as `git archive` and GNU tar write it: ustar, pax `g` and `x`, GNU `L` and `K`.
 * Owns: bounds (entries, bytes, size of a held file), one file in memory at a time, paths as bytes.
 * Refuses: a stream without its end marker, a header whose checksum fails, anything over a bound. Never silently short.
 */
import { ByteQueue, type NextChunk } from "./byte-queue.ts";
import { archiveTooLarge, corruptArchive } from "./corrupt.ts";
import type { RawPath } from "./raw-path.ts";
import { BLOCK, isZeroBlock, parseHeader, parsePax, type TarHeader } from "./tar-header.ts";

export interface TarLimits {
  /** A file of more bytes than this is not held: `bytes` is null and `pieces` gives it. */
  heldBytes: number;
  /** Most entries of any kind. */
  entries: number;
  /** Most bytes of the unpacked stream, headers and padding included. */
  totalBytes: number;
}

export const TAR_LIMITS: TarLimits = {
  heldBytes: 8 * 1024 * 1024,
  entries: 500_000,
  totalBytes: 2 * 1024 ** 3,
};

/** Pax and GNU name records are read whole; git's longest path is far below this. */
const MAX_META_BYTES = 1024 * 1024;

export interface TarEntry {
  kind: "file" | "symlink" | "directory" | "other";
  /** As written, the archive's top folder included. */
  rawPath: RawPath;
  /** Permission bits as written. */
  mode: number;
  /** Bytes of content. */
  size: number;
  /** A symlink's target, one character per byte. */
  target: string | null;
  /** Content of a file up to `heldBytes`, valid until the next `next()`; null for a larger one. */
  bytes: Uint8Array | null;
}

export class TarReader {
  readonly #queue: ByteQueue;
  readonly #limits: TarLimits;
  /** Records of the pax global header; `git archive` writes the commit id as `comment`. */
  readonly globals = new Map<string, string>();
  #entries = 0;
  #unread = 0;
  #padding = 0;
  #ended = false;

  constructor(next: NextChunk, limits: TarLimits = TAR_LIMITS) {
    this.#queue = new ByteQueue(next, limits.totalBytes);
    this.#limits = limits;
  }

  /** The next entry; null after the end marker, when the source was read to its end. Drops what was left unread. */
  async next(): Promise<TarEntry | null> {
    if (this.#ended) return null;
    await this.#dropRest();
    const local = new Map<string, string>();
    for (;;) {
      const header = await this.#header();
      if (header === null) {
        this.#ended = true;
        await this.#queue.drain();
        return null;
      }
      if (!(await this.#meta(header, local))) return this.#entry(header, local);
    }
  }

  /** The next piece of an entry whose `bytes` is null, in order; null at its end. */
  async piece(): Promise<Uint8Array | null> {
    if (this.#unread === 0) return null;
    if (!this.#queue.has(1) && !(await this.#queue.fill(1))) throw corruptArchive("it ends inside a file");
    const piece = this.#queue.takeSome(this.#unread);
    this.#unread -= piece.byteLength;
    return piece;
  }

  async #header(): Promise<TarHeader | null> {
    for (let zeros = 0; ; ) {
      if (!this.#queue.has(BLOCK) && !(await this.#queue.fill(BLOCK))) {
        throw corruptArchive("it ends without its end marker");
      }
      const block = this.#queue.take(BLOCK);
      if (!isZeroBlock(block)) return parseHeader(block);
      if (++zeros === 2) return null;
    }
  }

  /** Reads a header that describes the next one into `local` or the globals; false for an entry proper. */
  async #meta(header: TarHeader, local: Map<string, string>): Promise<boolean> {
    const { type, size } = header;
    if (type !== "g" && type !== "x" && type !== "L" && type !== "K") return false;
    if (size > MAX_META_BYTES) throw archiveTooLarge("bytes of one name record", MAX_META_BYTES);
    const padded = size + padding(size);
    if (!(await this.#queue.fill(padded))) throw corruptArchive("it ends inside a name record");
    const bytes = this.#queue.take(padded).subarray(0, size);
    if (type === "L" || type === "K") {
      const value = Buffer.from(bytes).toString("latin1").replace(/\0+$/, "");
      local.set(type === "L" ? "path" : "linkpath", value);
    } else {
      for (const [key, value] of parsePax(bytes)) (type === "g" ? this.globals : local).set(key, value);
    }
    return true;
  }

  async #entry(header: TarHeader, local: Map<string, string>): Promise<TarEntry> {
    if (++this.#entries > this.#limits.entries) throw archiveTooLarge("entries", this.#limits.entries);
    const rawPath = local.get("path") ?? header.name;
    const size = sizeOf(header, local);
    if (size > this.#limits.totalBytes) throw archiveTooLarge("unpacked bytes", this.#limits.totalBytes);
    if (rawPath.includes("\0")) throw corruptArchive("a path holds a NUL byte");
    const kind = kindOf(header.type, rawPath);
    const held = kind === "file" && size <= this.#limits.heldBytes;
    const entry: TarEntry = {
      kind,
      rawPath,
      mode: header.mode,
      size,
      target: kind === "symlink" ? (local.get("linkpath") ?? header.link) : null,
      bytes: null,
    };
    this.#padding = padding(size);
    if (!held) {
      this.#unread = size;
      return entry;
    }
    if (!this.#queue.has(size) && !(await this.#queue.fill(size)))
      throw corruptArchive("it ends inside a file");
    entry.bytes = this.#queue.take(size);
    return entry;
  }

  async #dropRest(): Promise<void> {
    const rest = this.#unread + this.#padding;
    this.#unread = 0;
    this.#padding = 0;
    if (rest > 0) await this.#queue.skip(rest);
  }
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function sizeOf(header: TarHeader, local: Map<string, string>): number {
  const pax = local.get("size");
  if (pax === undefined) return header.size;
  const size = /^[0-9]{1,16}$/.test(pax) ? Number(pax) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw corruptArchive("a pax size is no number");
  return size;
}

function kindOf(type: string, rawPath: RawPath): TarEntry["kind"] {
  if (type === "5") return "directory";
  if (type === "2") return "symlink";
  if (type !== "0" && type !== "7") return "other";
  // Old tars write a directory as a file whose name ends in a slash.
  return rawPath.endsWith("/") ? "directory" : "file";
}
