/**
 * Reads a stream in large pieces: zlib gives small output for small input, and each piece costs a turn of the loop.
 * In workerd a byte reader with `readAtLeast` does it; elsewhere, and for streams that are no byte streams, pieces are
 * joined here. Knows nothing of what the bytes mean; an error of the stream passes through unchanged.
 */

/** Bytes of one piece, but for the last; also the most that is held. */
const PIECE = 64 * 1024;

export interface PieceReader {
  /** Null at the end. */
  read(): Promise<Uint8Array | null>;
  /** Gives the stream back. Never throws. */
  cancel(): Promise<void>;
}

export function pieceReader(stream: ReadableStream<Uint8Array>): PieceReader {
  return byteReader(stream) ?? joiningReader(stream);
}

interface AtLeastReader {
  readAtLeast(least: number, into: Uint8Array): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

/** Null where the runtime or this stream has no byte reader with `readAtLeast`. */
function byteReader(stream: ReadableStream<Uint8Array>): PieceReader | null {
  if (
    typeof ReadableStreamBYOBReader === "undefined" ||
    !("readAtLeast" in ReadableStreamBYOBReader.prototype)
  ) {
    return null;
  }
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    // Not a byte stream: an ordinary reader does as well.
    return null;
  }
  const atLeast = reader as unknown as AtLeastReader;
  let ended = false;
  return {
    async read() {
      if (ended) return null;
      const { done, value } = await atLeast.readAtLeast(PIECE, new Uint8Array(PIECE));
      ended = done;
      return value === undefined || value.byteLength === 0 ? null : value;
    },
    cancel: () => reader.cancel().catch(() => undefined),
  };
}

function joiningReader(stream: ReadableStream<Uint8Array>): PieceReader {
  const reader = stream.getReader();
  return {
    async read() {
      const parts: Uint8Array[] = [];
      for (let bytes = 0; bytes < PIECE; ) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        bytes += value.byteLength;
      }
      const [first] = parts;
      if (first === undefined) return null;
      return parts.length === 1 ? first : Buffer.concat(parts);
    },
    cancel: () => reader.cancel().catch(() => undefined),
  };
}
