/**
 * Unpacks a gzip stream into chunks for the tar reader. In workerd a byte reader with `readAtLeast` gives chunks of
 * 128 kB and more instead of 4 kB (2.8 times as fast); elsewhere the ordinary reader does.
 * Refuses: text sent instead of gzip, a cut stream, a wrong CRC: all `upstream_corrupt`. A `GitpinError` of the
 * source itself (the host went away) passes through unchanged.
 */
import { GitpinError } from "../../errors.ts";
import type { NextChunk } from "./byte-queue.ts";
import { corruptArchive } from "./corrupt.ts";

const AT_LEAST = 128 * 1024;
const BUFFER = 256 * 1024;

interface AtLeastReader {
  readAtLeast(least: number, into: Uint8Array): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

export interface Unpacked {
  next: NextChunk;
  /** Gives the source back when reading stops before its end. Never throws. */
  cancel(): Promise<void>;
}

/** `compressed` is read on demand; nothing is buffered beyond one chunk. */
export function gunzip(compressed: ReadableStream<Uint8Array>): Unpacked {
  const plain = compressed.pipeThrough(new DecompressionStream("gzip") as unknown as Through);
  const pull = byteReader(plain) ?? plainReader(plain);
  return {
    async next() {
      try {
        return await pull.read();
      } catch (error) {
        if (error instanceof GitpinError) throw error;
        throw corruptArchive("it is not a whole gzip stream", error);
      }
    },
    cancel: () => pull.cancel().catch(() => undefined),
  };
}

type Through = ReadableWritablePair<Uint8Array, Uint8Array>;

interface Pull {
  read(): Promise<Uint8Array | null>;
  cancel(): Promise<void>;
}

/** Null where the runtime has no byte reader with `readAtLeast`. */
function byteReader(stream: ReadableStream<Uint8Array>): Pull | null {
  if (
    typeof ReadableStreamBYOBReader === "undefined" ||
    !("readAtLeast" in ReadableStreamBYOBReader.prototype)
  ) {
    return null;
  }
  const reader = stream.getReader({ mode: "byob" });
  const atLeast = reader as unknown as AtLeastReader;
  let ended = false;
  return {
    async read() {
      if (ended) return null;
      const { done, value } = await atLeast.readAtLeast(AT_LEAST, new Uint8Array(BUFFER));
      ended = done;
      return value === undefined || value.byteLength === 0 ? null : value;
    },
    cancel: () => reader.cancel(),
  };
}

function plainReader(stream: ReadableStream<Uint8Array>): Pull {
  const reader = stream.getReader();
  return {
    async read() {
      const { value } = await reader.read();
      return value ?? null;
    },
    cancel: () => reader.cancel(),
  };
}
