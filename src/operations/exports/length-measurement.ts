import { AbandonedError } from '../../shared/abandoned-error.ts';
import { system, type Timer } from '../../shared/system.ts';
import type { ByteChunks } from './chunks.ts';

/** Less than the timeouts of clients, proxies and the server, which expect a first byte until then. */
const MAX_WAIT_MS = 20_000;
/** A client that is told to come back may first reach other processes. */
const MAX_ABSENCE_MS = 300_000;

/**
 * Creates a file only to learn its length, once for all clients that wait for it. It goes on for
 * those that come back, and ends when all have gone.
 */
export class LengthMeasurement {
  readonly #controller = new AbortController();
  readonly #completion: Promise<boolean>;
  #clients = 0;
  #absence: Timer | undefined;

  constructor(create: (signal: AbortSignal) => ByteChunks, onEnd: () => void) {
    this.#completion = readToEnd(create(this.#controller.signal)).finally(onEnd);
    // A client that waits gets the failure; there may be none.
    this.#completion.catch(() => {});
  }

  /** Resolves to whether it has ended in time. */
  async wait(signal: AbortSignal, maxWaitMs = MAX_WAIT_MS): Promise<boolean> {
    this.#clients++;
    this.#absence?.cancel();
    const given = Promise.withResolvers<boolean>();
    const giveUp = () => given.resolve(false);
    const timer = system.setTimeout(giveUp, signal.aborted ? 0 : maxWaitMs);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const isComplete = await Promise.race([this.#completion, given.promise]);
      if (signal.aborted) throw new AbandonedError();
      return isComplete;
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', giveUp);
      this.#clients--;
      if (this.#clients === 0) this.#endAfter(signal.aborted ? 0 : MAX_ABSENCE_MS);
    }
  }

  #endAfter(ms: number): void {
    this.#absence = system.setTimeout(() => this.#controller.abort(), ms);
    this.#absence.unref();
  }
}

async function readToEnd(chunks: ByteChunks): Promise<true> {
  for await (const _ of chunks);
  return true;
}
