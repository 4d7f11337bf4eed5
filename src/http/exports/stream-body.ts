import type { StreamedBody } from '../responses/response.ts';

/** Sent at once: little, so that a slow client is seen to take something now and then. */
const MAX_CHUNK_BYTES = 65_536;

/**
 * A body of which each piece is made when the client has taken the one before. It ends cleanly only
 * when it is whole: where making it fails, the connection breaks off. `stop` is called once, when it
 * is whole, failed or no longer wanted; a piece may be in the making then.
 */
export function streamBody(
  chunks: AsyncIterator<Uint8Array, undefined>,
  signal: AbortSignal,
  stop: () => Promise<void>,
): StreamedBody {
  const sent = Promise.withResolvers<Awaited<StreamedBody['completion']>>();
  let left: Uint8Array | undefined = new Uint8Array();
  let bytes = 0;
  let isFinished = false;
  const end = async (cause?: unknown) => {
    if (isFinished) return;
    isFinished = true;
    await stop();
    sent.resolve({ bytes, ...(cause !== undefined && { cause }) });
  };
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        // An empty piece would look like the end.
        while (left?.length === 0) left = (await chunks.next()).value;
        if (isFinished) return;
        if (left) {
          const part = left.subarray(0, MAX_CHUNK_BYTES);
          left = left.subarray(MAX_CHUNK_BYTES);
          controller.enqueue(part);
          bytes += part.length;
        } else {
          controller.close();
          await end();
        }
      } catch (cause) {
        controller.error(cause);
        await end(cause);
      }
    },
    cancel: () => end(),
  };
  // A client that has gone before the first piece is taken cancels nothing.
  if (signal.aborted) end();
  else signal.addEventListener('abort', () => end(), { once: true });
  // Nothing is made ahead of the client.
  return { bytes: new ReadableStream(source, { highWaterMark: 0 }), completion: sent.promise };
}
