import { ResponseStream } from '../../http/responses/response-stream.ts';
import { system, type Timer } from '../../shared/system.ts';

/** Small, so that a slow client is seen to take something now and then. */
const MAX_CHUNK_BYTES = 65_536;
const MAX_STALL_MS = 30_000;

/** A file of which a client gets the next chunk when it has taken the previous one. */
export class FileStream extends ResponseStream {
  #remaining: Uint8Array | undefined = new Uint8Array();
  #stall: Timer | undefined;

  /** `close` is called once. A client that takes no chunk for as long as `maxStallMs` is disconnected. */
  constructor(
    private readonly chunks: AsyncGenerator<Uint8Array, undefined>,
    signal: AbortSignal,
    close: () => Promise<void>,
    private readonly maxStallMs = MAX_STALL_MS,
  ) {
    super(signal, async () => {
      this.#stall?.cancel();
      // After the chunk that is under way.
      await chunks.return(undefined);
      await close();
    });
  }

  protected async pull(): Promise<void> {
    this.#stall?.cancel();
    try {
      await this.#createNext();
      if (this.isEnded) return;
      if (!this.#remaining) return await this.end();
      const chunk = this.#remaining.subarray(0, MAX_CHUNK_BYTES);
      this.#remaining = this.#remaining.subarray(MAX_CHUNK_BYTES);
      this.enqueue(chunk);
      this.#stall = system.setTimeout(() => this.disconnect(), this.maxStallMs);
    } catch (cause) {
      await this.fail(cause);
    }
  }

  /** An empty chunk would end the stream. */
  async #createNext(): Promise<void> {
    if (this.#remaining?.length !== 0) return;
    const startedMs = system.monotonicNow();
    while (this.#remaining?.length === 0) this.#remaining = (await this.chunks.next()).value;
    this.createMs += system.monotonicNow() - startedMs;
  }
}
