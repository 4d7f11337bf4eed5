import { TenorError } from './errors.ts';
import { SYSTEM_CLOCK } from './retry.ts';

/**
 * The data of each event `revision` of a stream of events. Ends with the stream; throws a
 * `TenorError` of the kind `network` if it breaks off, or is silent for too long.
 */
export async function* parseEvents(
  { body, url }: Response,
  maxSilenceMs: number,
): AsyncGenerator<string, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await readInTime(reader, url, maxSilenceMs);
      if (done) return;
      const events = (text + decoder.decode(value, { stream: true }))
        .replaceAll('\r\n', '\n')
        .split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const lines = event.split('\n');
        const data = lines.filter((line) => line.startsWith('data:'));
        if (!lines.some((line) => /^event: ?revision$/.test(line)) || data.length === 0) continue;
        yield data.map((line) => line.replace(/^data: ?/, '')).join('\n');
      }
    }
  } finally {
    // A stream that has failed cannot be cancelled.
    await reader.cancel().catch(() => {});
  }
}

/** The reader of a body. */
type EventReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>;

async function readInTime(
  reader: EventReader,
  url: string,
  maxSilenceMs: number,
): ReturnType<EventReader['read']> {
  let stopTimer = () => {};
  const silence = new Promise<never>((_, reject) => {
    const message = `no event and no comment within ${maxSilenceMs} ms`;
    const onTimeout = () => reject(new TenorError('timeout', message, { url }));
    stopTimer = SYSTEM_CLOCK.startTimer(maxSilenceMs, onTimeout);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (cause) {
    if (cause instanceof TenorError) throw cause;
    throw new TenorError('network', 'the stream of events broke off', { url }, { cause });
  } finally {
    stopTimer();
  }
}
