/** Bytes that are pulled, in order, from the host or from the store; and the same as a stream for what reads streams. */

export interface ByteSource {
  /** The next bytes, never none; null at the end. They are the caller's to keep. */
  next(): Promise<Uint8Array | null>;
  /** Gives the source up before its end. Never throws. */
  cancel(): Promise<void>;
}

/**
 * A packed piece is handed on in parts of this many bytes: what unpacks it holds all that a part unpacks to, and packing
 * can shrink a thousandfold.
 */
const PIECE = 32 * 1024;

export interface SourceStream {
  stream: ReadableStream<Uint8Array>;
  /** What the source threw, which streams in between may replace by an error of their own; null while it did not. */
  failure(): unknown;
}

export function streamOf(source: ByteSource): SourceStream {
  let failure: unknown = null;
  let rest: Uint8Array = new Uint8Array();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (rest.byteLength === 0) {
            const bytes = await source.next();
            if (bytes === null) return controller.close();
            rest = bytes;
          }
          controller.enqueue(rest.slice(0, PIECE));
          rest = rest.subarray(PIECE);
        } catch (error) {
          failure = error;
          controller.error(error);
        }
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
  return { stream, failure: () => failure };
}
