import type { StreamedBody } from '../../responses/response.ts';
import { createReadRateMonitor, LEAST_READ_RATE } from './read-rate.ts';

/** Small, so that a slow client is seen to take something now and then. */
const MAX_CHUNK_BYTES = 65_536;

/**
 * A body whose chunks are created when the client has taken the one before. Where creating fails or
 * the client reads too slowly, the connection is broken off. `stop` is called once, at the end, after
 * a failure or when the client has gone; a chunk may be under way then.
 */
export function streamBody(
  chunks: AsyncIterator<Uint8Array, undefined>,
  signal: AbortSignal,
  stop: () => Promise<void>,
  leastRate = LEAST_READ_RATE,
): StreamedBody {
  const completion = Promise.withResolvers<Awaited<StreamedBody['completion']>>();
  let remaining: Uint8Array | undefined = new Uint8Array();
  let bytes = 0;
  let createMs = 0;
  let isFinished = false;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const finish = async (failure: { cause?: unknown; isTooSlow?: true } = {}) => {
    if (isFinished) return;
    isFinished = true;
    readRate.stop();
    await stop();
    completion.resolve({ bytes, createMs, ...failure });
  };
  const readRate = createReadRateMonitor(leastRate, () => {
    controller.error(new Error('the client reads too slowly'));
    finish({ isTooSlow: true });
  });
  const source = {
    start(created: typeof controller) {
      controller = created;
    },
    async pull() {
      readRate.markReady();
      try {
        // An empty chunk would end the stream.
        if (remaining?.length === 0) {
          const startedMs = performance.now();
          while (remaining?.length === 0) remaining = (await chunks.next()).value;
          createMs += performance.now() - startedMs;
        }
        if (isFinished) return;
        if (remaining) {
          const chunk = remaining.subarray(0, MAX_CHUNK_BYTES);
          remaining = remaining.subarray(MAX_CHUNK_BYTES);
          controller.enqueue(chunk);
          bytes += chunk.length;
          readRate.markSent(chunk.length);
        } else {
          controller.close();
          await finish();
        }
      } catch (cause) {
        controller.error(cause);
        await finish({ cause });
      }
    },
    cancel: () => finish(),
  };
  // A client that goes before the first chunk does not cancel the stream.
  if (signal.aborted) finish();
  else signal.addEventListener('abort', () => finish(), { once: true });
  // Nothing is created ahead of the client.
  return {
    bytes: new ReadableStream(source, { highWaterMark: 0 }),
    completion: completion.promise,
  };
}
