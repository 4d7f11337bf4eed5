import { ResponseStream } from '../../responses/response-stream.ts';
import { createReadRateMonitor, LEAST_READ_RATE } from './read-rate.ts';

/** Small, so that a slow client is seen to take something now and then. */
const MAX_CHUNK_BYTES = 65_536;

/** A file whose chunks are created when the client has taken the one before. */
export class FileStream extends ResponseStream {
  #remaining: Uint8Array | undefined = new Uint8Array();
  readonly #readRate: ReturnType<typeof createReadRateMonitor>;

  /** `stop` is called once; a chunk may be under way then. */
  constructor(
    private readonly chunks: AsyncIterator<Uint8Array, undefined>,
    signal: AbortSignal,
    stop: () => Promise<void>,
    leastRate = LEAST_READ_RATE,
  ) {
    super(signal, () => {
      this.#readRate.stop();
      return stop();
    });
    this.#readRate = createReadRateMonitor(leastRate, () => this.disconnect());
  }

  protected async pull(): Promise<void> {
    this.#readRate.markReady();
    try {
      await this.#createNext();
      if (this.isEnded) return;
      if (!this.#remaining) return await this.end();
      const chunk = this.#remaining.subarray(0, MAX_CHUNK_BYTES);
      this.#remaining = this.#remaining.subarray(MAX_CHUNK_BYTES);
      this.enqueue(chunk);
      this.#readRate.markSent(chunk.length);
    } catch (cause) {
      await this.fail(cause);
    }
  }

  /** An empty chunk would end the stream. */
  async #createNext(): Promise<void> {
    if (this.#remaining?.length !== 0) return;
    const startedMs = performance.now();
    while (this.#remaining?.length === 0) this.#remaining = (await this.chunks.next()).value;
    this.createMs += performance.now() - startedMs;
  }
}
