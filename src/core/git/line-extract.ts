/**
 * Some lines of a blob that comes in pieces and is too large to hold: one pass that keeps the lines asked for, counts all, and
 * hashes the whole. Lines are those of `lines.ts`: 1-based, inclusive, split at `\n` only. Pure.
 */
import { objectHasher } from "./hash.ts";
import type { LineRange } from "./lines.ts";
import type { ObjectId } from "./object-id.ts";

const LF = 0x0a;
/** As much of the start as tells binary files and Git LFS pointers. */
const START_BYTES = 8000;

export interface ExtractedLines {
  /** Git's id of all bytes that came, provided that there were `size` of them. */
  id: ObjectId;
  byteLength: number;
  /** Exactly the bytes of the lines asked for, terminators included; null when the blob lacks one of them. */
  bytes: Uint8Array | null;
  totalLines: number;
  /** The first 8,000 bytes, or all. */
  start: Uint8Array;
}

export class LineExtractor {
  readonly #range: LineRange;
  readonly #holdAtMost: number;
  readonly #hasher: ReturnType<typeof objectHasher>;
  readonly #kept: Uint8Array[] = [];
  #start = new Uint8Array();
  #held = 0;
  #length = 0;
  /** The line that the next byte belongs to. */
  #line = 1;
  #endsInFeed = true;

  /** `size`: bytes of the blob, which its id covers. `holdAtMost`: bytes of the lines together. */
  constructor(size: number, range: LineRange, holdAtMost: number) {
    this.#range = range;
    this.#holdAtMost = holdAtMost;
    this.#hasher = objectHasher("blob", size);
  }

  /** False: the lines asked for are more bytes than may be held. Nothing of `piece` is kept but copies. */
  push(piece: Uint8Array): boolean {
    this.#hasher.update(piece);
    this.#length += piece.length;
    if (this.#start.length < START_BYTES) {
      const more = piece.subarray(0, START_BYTES - this.#start.length);
      this.#start = Uint8Array.from([...this.#start, ...more]);
    }
    let at = 0;
    while (at < piece.length) {
      const feed = piece.indexOf(LF, at);
      const end = feed === -1 ? piece.length : feed + 1;
      if (this.#line >= this.#range.start && this.#line <= this.#range.end) {
        this.#held += end - at;
        if (this.#held > this.#holdAtMost) return false;
        this.#kept.push(piece.slice(at, end));
      }
      if (feed !== -1) this.#line += 1;
      this.#endsInFeed = feed !== -1;
      at = end;
    }
    return true;
  }

  end(): ExtractedLines {
    const totalLines = this.#endsInFeed ? this.#line - 1 : this.#line;
    return {
      id: this.#hasher.id(),
      byteLength: this.#length,
      bytes: this.#range.end <= totalLines ? Buffer.concat(this.#kept, this.#held) : null,
      totalLines,
      start: this.#start,
    };
  }
}
