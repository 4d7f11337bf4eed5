import type { StreamedBody } from '../../responses/response.ts';

/** What waits for a client that does not read; one with more is disconnected. */
const MAX_PENDING_BYTES = 262_144;

/** The events of one client. Chunks wait until it reads. */
export class EventStream {
  readonly body: StreamedBody;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #completion = Promise.withResolvers<Awaited<StreamedBody['completion']>>();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #sentBytes = 0;
  /** Whether the client has read everything that was sent. */
  #isWaiting = false;
  #isEnded = false;

  /** `onWaiting` is called when the client has read everything, `onEnd` once. */
  constructor(
    private readonly onWaiting: () => void,
    private readonly onEnd: () => void,
    signal: AbortSignal,
  ) {
    const bytes = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: () => this.#finish(),
      },
      { highWaterMark: 0 },
    );
    this.body = { bytes, completion: this.#completion.promise, isEndless: true };
    // A client that goes before the first chunk does not cancel the stream.
    if (signal.aborted) queueMicrotask(() => this.#finish());
    else signal.addEventListener('abort', () => this.#finish(), { once: true });
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  send(chunk: Uint8Array): void {
    if (this.#isEnded || chunk.length === 0) return;
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#isWaiting) this.#sendPending();
    else if (this.#pendingBytes > MAX_PENDING_BYTES) this.disconnect();
  }

  /** Ends the response: the client may start anew. */
  end(): void {
    if (this.#isEnded) return;
    this.#controller?.close();
    this.#finish();
  }

  /** Breaks the connection off, because of a failure. */
  fail(cause: unknown): void {
    if (this.#isEnded) return;
    this.#controller?.error(cause);
    this.#finish({ cause });
  }

  /** Breaks the connection off, because the client does not read. */
  disconnect(): void {
    if (this.#isEnded) return;
    this.#controller?.error(new Error('the client reads too slowly'));
    this.#finish({ isTooSlow: true });
  }

  #pull(): void {
    if (this.#isEnded) return;
    this.#isWaiting = true;
    if (this.#pending.length > 0) this.#sendPending();
    else this.onWaiting();
  }

  #sendPending(): void {
    const chunk = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#isWaiting = false;
    if (!chunk) return;
    this.#sentBytes += chunk.length;
    // The client may ask for the next chunk at once.
    this.#controller?.enqueue(chunk);
  }

  #finish(failure: { cause?: unknown; isTooSlow?: true } = {}): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#isWaiting = false;
    this.#pending = [];
    this.onEnd();
    this.#completion.resolve({ bytes: this.#sentBytes, createMs: 0, ...failure });
  }
}
