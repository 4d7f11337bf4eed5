import { ResponseStream } from '../../http/responses/response-stream.ts';
import { system } from '../../shared/system.ts';

/** A message whose chunks are created when the client has taken the one before. */
export class MessageStream extends ResponseStream {
  constructor(
    private readonly chunks: AsyncIterator<Uint8Array, undefined>,
    signal: AbortSignal,
    stop: () => Promise<void>,
  ) {
    super(signal, stop);
  }

  protected async pull(): Promise<void> {
    const startedMs = system.monotonicNow();
    try {
      const { value } = await this.chunks.next();
      this.createMs += system.monotonicNow() - startedMs;
      if (this.isEnded) return;
      if (value) this.enqueue(value);
      else await this.end();
    } catch (cause) {
      await this.fail(cause);
    }
  }
}

/** A message that ends within so many bytes is small. */
const MAX_HEAD_BYTES = 262_144;

/** The start of a message, and its remaining chunks unless the start is all of it. */
export interface StartedMessage {
  readonly head: readonly Uint8Array[];
  readonly rest?: AsyncGenerator<Uint8Array, undefined>;
}

/** Creates the start of a message, so that an early failure comes before any byte is sent. */
export async function startMessage(
  chunks: AsyncGenerator<Uint8Array, undefined>,
): Promise<StartedMessage> {
  const head: Uint8Array[] = [];
  for (let bytes = 0; bytes < MAX_HEAD_BYTES; ) {
    const { value, done } = await chunks.next();
    if (done) return { head };
    head.push(value);
    bytes += value.length;
  }
  const concatenated = async function* () {
    yield* head;
    return yield* chunks;
  };
  return { head, rest: concatenated() };
}
