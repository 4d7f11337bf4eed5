import type { Awaitable } from '../../shared/awaitable.ts';
import type { StreamedBody } from './response.ts';

type Completion = Awaited<StreamedBody['completion']>;

/** A body of which nothing is created ahead of the client: `pull` is called when it has read all. */
export abstract class ResponseStream {
  readonly body: StreamedBody;
  protected isEnded = false;
  /** How long creating the chunks took. */
  protected createMs = 0;
  #sentBytes = 0;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #completion = Promise.withResolvers<Completion>();

  /** `onEnd` is called once: at the end, after a failure, or when the client has gone. */
  constructor(
    signal: AbortSignal,
    private readonly onEnd: () => Awaitable<void>,
  ) {
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#controller = controller;
      },
      pull: () => this.pull(),
      cancel: () => this.#finish(),
    };
    const bytes = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
    this.body = { bytes, completion: this.#completion.promise };
    // A client that goes before the first chunk does not cancel the stream.
    if (signal.aborted) queueMicrotask(() => this.#finish());
    else signal.addEventListener('abort', () => this.#finish(), { once: true });
  }

  /** Ends the response. */
  async end(): Promise<void> {
    if (this.isEnded) return;
    this.#controller?.close();
    await this.#finish({ isComplete: true });
  }

  /** Breaks the connection off, because of a failure. */
  async fail(cause: unknown): Promise<void> {
    if (this.isEnded) return;
    this.#controller?.error(cause);
    await this.#finish({ cause });
  }

  /** Breaks the connection off, because the client does not read. */
  disconnect(): void {
    if (this.isEnded) return;
    this.#controller?.error(new Error('the client reads too slowly'));
    this.#finish({ isTooSlow: true });
  }

  protected abstract pull(): Awaitable<void>;

  /** The client may ask for the next chunk at once. */
  protected enqueue(chunk: Uint8Array): void {
    this.#sentBytes += chunk.length;
    this.#controller?.enqueue(chunk);
  }

  async #finish(how: Omit<Completion, 'bytes' | 'createMs'> = {}): Promise<void> {
    if (this.isEnded) return;
    this.isEnded = true;
    await this.onEnd();
    this.#completion.resolve({ bytes: this.#sentBytes, createMs: this.createMs, ...how });
  }
}
