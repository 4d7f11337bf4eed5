import { ResponseStream } from '../../http/responses/response-stream.ts';
import { system } from '../../shared/system.ts';

/** Small, so that a slow client is seen to take something now and then. */
const MAX_CHUNK_BYTES = 65_536;

/** How fast a client has to read, on average over each window. */
interface LeastReadRate {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** Half a megabit a second. */
const LEAST_READ_RATE: LeastReadRate = { bytesPerSecond: 65_536, windowMs: 30_000 };

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
    const startedMs = system.monotonicNow();
    while (this.#remaining?.length === 0) this.#remaining = (await this.chunks.next()).value;
    this.createMs += system.monotonicNow() - startedMs;
  }
}

const CHECKS_PER_WINDOW = 6;

/**
 * Calls back when a client reads too slowly. Only the time in which the server waits for the client
 * counts, not the time that creating the file takes.
 */
function createReadRateMonitor({ bytesPerSecond, windowMs }: LeastReadRate, onTooSlow: () => void) {
  let waitingSinceMs: number | undefined;
  let waitedMs = 0;
  let bytesInWindow = 0;
  const addWaitedTime = (nowMs: number) => {
    if (waitingSinceMs !== undefined) waitedMs += nowMs - waitingSinceMs;
  };
  const check = () => {
    if (waitingSinceMs === undefined) return;
    const nowMs = system.monotonicNow();
    addWaitedTime(nowMs);
    waitingSinceMs = nowMs;
    if (waitedMs < windowMs) return;
    const leastBytes = (bytesPerSecond * waitedMs) / 1_000;
    if (bytesInWindow < leastBytes) onTooSlow();
    waitedMs = 0;
    bytesInWindow = 0;
  };
  const timer = system.setInterval(check, windowMs / CHECKS_PER_WINDOW);
  return {
    /** The client asks for the next chunk. */
    markReady() {
      addWaitedTime(system.monotonicNow());
      waitingSinceMs = undefined;
    },
    /** A chunk is on its way to the client. */
    markSent(bytes: number) {
      bytesInWindow += bytes;
      waitingSinceMs = system.monotonicNow();
    },
    stop: () => timer.cancel(),
  };
}
