/**
 * Turns a pull source of chunks into "give me n bytes". Zero-copy where the bytes lie in one chunk.
 * Owns the count of bytes seen and its bound (a decompression bomb ends here). Knows nothing of tar.
 */
import { archiveTooLarge, corruptArchive } from "./corrupt.ts";

/** The next chunk, or null at the end. A chunk is never changed after it was given. */
export type NextChunk = () => Promise<Uint8Array | null>;

export class ByteQueue {
  readonly #next: NextChunk;
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  /** Offset of the first unread byte in the first chunk. */
  #offset = 0;
  #buffered = 0;
  #seen = 0;
  #ended = false;

  constructor(next: NextChunk, maxBytes: number) {
    this.#next = next;
    this.#maxBytes = maxBytes;
  }

  /** Makes n bytes available for `take`; false when the source ends before. */
  async fill(n: number): Promise<boolean> {
    while (this.#buffered < n && !this.#ended) {
      const chunk = await this.#next();
      if (chunk === null) {
        this.#ended = true;
        break;
      }
      this.#seen += chunk.byteLength;
      if (this.#seen > this.#maxBytes) throw archiveTooLarge("unpacked bytes", this.#maxBytes);
      if (chunk.byteLength > 0) {
        this.#chunks.push(chunk);
        this.#buffered += chunk.byteLength;
      }
    }
    return this.#buffered >= n;
  }

  /** Whether n bytes are there already: the caller then needs no await. */
  has(n: number): boolean {
    return this.#buffered >= n;
  }

  /** Exactly n bytes, which must be there (`fill`). A view where possible, valid for ever as chunks never change. */
  take(n: number): Uint8Array {
    const first = this.#chunks[0];
    if (first !== undefined && first.byteLength - this.#offset >= n) {
      const view = first.subarray(this.#offset, this.#offset + n);
      this.#advance(n);
      return view;
    }
    const whole = new Uint8Array(n);
    for (let written = 0; written < n; ) {
      const piece = this.takeSome(n - written);
      whole.set(piece, written);
      written += piece.byteLength;
    }
    return whole;
  }

  /** Between 1 and n bytes, without copying; at least one must be there. */
  takeSome(n: number): Uint8Array {
    const first = this.#chunks[0];
    if (first === undefined) throw corruptArchive("it ends too early");
    const view = first.subarray(this.#offset, Math.min(first.byteLength, this.#offset + n));
    this.#advance(view.byteLength);
    return view;
  }

  /** Drops n bytes, reading on as needed. */
  async skip(n: number): Promise<void> {
    for (let left = n; left > 0; ) {
      if (this.#buffered === 0 && !(await this.fill(1))) throw corruptArchive("it ends too early");
      left -= this.takeSome(left).byteLength;
    }
  }

  /** Reads the source to its end, so that its own checks (gzip's CRC and length) are made. */
  async drain(): Promise<void> {
    do {
      this.#chunks = [];
      this.#offset = 0;
      this.#buffered = 0;
    } while (await this.fill(1));
  }

  #advance(n: number): void {
    this.#offset += n;
    this.#buffered -= n;
    if (this.#offset === this.#chunks[0]?.byteLength) {
      this.#chunks.shift();
      this.#offset = 0;
    }
  }
}
