/**
 * How many bytes an answer's body has. One that is complete is counted at once; a stream of events is counted as it passes,
 * since nobody may wait for its end.
 */

export interface Counted {
  response: Response;
  /** Settles when the last byte was handed on, or the reader has left. */
  end: Promise<{ bytes: number; abandoned: boolean }>;
  /** Whether the end is still to come. */
  streaming: boolean;
}

const isStream = (response: Response): boolean =>
  response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;

export async function countBody(response: Response): Promise<Counted> {
  const { body } = response;
  if (body !== null && isStream(response)) return countStream(response, body);
  const bytes = body === null ? null : await response.arrayBuffer();
  return {
    response: new Response(bytes, response),
    end: Promise.resolve({ bytes: bytes?.byteLength ?? 0, abandoned: false }),
    streaming: false,
  };
}

function countStream(response: Response, body: ReadableStream<Uint8Array>): Counted {
  const { promise: end, resolve } = Promise.withResolvers<{ bytes: number; abandoned: boolean }>();
  const reader = body.getReader();
  let bytes = 0;
  const passing = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          bytes += value.byteLength;
          controller.enqueue(value);
          return;
        }
        controller.close();
        resolve({ bytes, abandoned: false });
      } catch (thrown) {
        resolve({ bytes, abandoned: true });
        throw thrown;
      }
    },
    async cancel(reason) {
      resolve({ bytes, abandoned: true });
      await reader.cancel(reason);
    },
  });
  return { response: new Response(passing, response), end, streaming: true };
}
