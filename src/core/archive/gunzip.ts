/**
 * Unpacks a gzip stream into chunks for the tar reader, through `node:zlib`, which Node and workerd both have.
 * Not through DecompressionStream: workerd's takes all input at once and keeps the whole unpacked tree in memory when the
 * reader is slower; zlib's stream waits, is as fast, and a decompression bomb is never unpacked beyond what is read.
 * Refuses: text sent instead of gzip, a cut stream, a wrong CRC: all `upstream_corrupt`. A `GitpinError` of the source
 * itself (the host went away) passes through unchanged.
 */
import { createGunzip, type Gunzip } from "node:zlib";
import { GitpinError } from "../../errors.ts";
import type { NextChunk } from "./byte-queue.ts";
import { type PieceReader, pieceReader } from "./compressed-source.ts";
import { corruptArchive } from "./corrupt.ts";

/** Bytes of one unpacked chunk. */
const CHUNK = 256 * 1024;

export interface Unpacked {
  next: NextChunk;
  /** Gives the source back when reading stops before its end. Never throws. */
  cancel(): Promise<void>;
}

/** `compressed` is read on demand; no more than a chunk or two of either side is held. */
export function gunzip(compressed: ReadableStream<Uint8Array>): Unpacked {
  const source = pieceReader(compressed);
  const inflate = createGunzip({ chunkSize: CHUNK });
  const chunks: AsyncIterator<Uint8Array> = inflate[Symbol.asyncIterator]();
  let fed = false;
  return {
    async next() {
      if (!fed) void feed(source, inflate);
      fed = true;
      try {
        const { done, value } = await chunks.next();
        return done === true ? null : value;
      } catch (error) {
        await source.cancel();
        throw error instanceof GitpinError ? error : corruptArchive("it is not a whole gzip stream", error);
      }
    },
    async cancel() {
      inflate.destroy();
      await source.cancel();
    },
  };
}

/** Never rejects: a failure of the source destroys the stream, and whoever reads from it is told. */
async function feed(source: PieceReader, inflate: Gunzip): Promise<void> {
  try {
    for (let piece = await source.read(); piece !== null && !inflate.destroyed; piece = await source.read()) {
      if (!inflate.write(piece)) await drained(inflate);
    }
    inflate.end();
  } catch (error) {
    inflate.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Resolves when the stream wants more, or will never want any. */
function drained(inflate: Gunzip): Promise<void> {
  return new Promise((resolve) => {
    inflate.once("drain", resolve).once("close", resolve);
  });
}
