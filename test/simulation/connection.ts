import type { Process, Scheduler } from './scheduler.ts';
import type { Worker } from './simulated-server.ts';

const [MIN_NETWORK_MS, MAX_NETWORK_MS] = [0.1, 12];

/** One request and its response, with what may happen to them on their way. */
export class Connection {
  readonly #client: Process;
  readonly #result = Promise.withResolvers<Response>();
  readonly #controller = new AbortController();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #reader: { cancel(): Promise<unknown> } | undefined;
  #isClosed = false;
  /** Chunks keep their order. */
  #lastDueMs = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly worker: Worker | undefined,
    request: Request,
  ) {
    this.#client = scheduler.current;
    request.signal.addEventListener('abort', () => this.#abandon());
    if (worker) worker.connections.add(this);
    if (worker) this.#toServer('request', () => this.#handle(worker, request));
    else this.#fail('connection refused');
  }

  get response(): Promise<Response> {
    return this.#result.promise;
  }

  /** The worker is gone. */
  reset(): void {
    this.#fail('connection reset');
  }

  async #handle({ respond, connections }: Worker, request: Request): Promise<void> {
    if (this.#isClosed) return;
    if (!respond) return this.#fail('connection refused');
    const { method, headers } = request;
    const body = method === 'POST' ? await request.text() : null;
    const { signal } = this.#controller;
    const received = new Request(request.url, { method, headers, signal, body });
    const response = await respond(received);
    if (response.body && response.headers.get('Content-Type') === 'text/event-stream')
      this.#streamBody(response);
    else {
      connections.delete(this);
      this.#isClosed = true;
      const text = await response.text();
      const { status, headers: sent } = response;
      const isEmpty = status === 304 || status === 204;
      const copy = new Response(isEmpty ? null : text, { status, headers: sent });
      this.#toClient('response', () => this.#result.resolve(copy));
    }
  }

  /** Sends the head, and a chunk whenever the client has read the one before. */
  #streamBody(response: Response): void {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    this.#reader = reader;
    const readNext = () => {
      if (this.#isClosed) return;
      reader.read().then(
        ({ done, value }) =>
          this.#toClient('chunk', () => {
            if (done) this.#end();
            else if (!this.#isClosed) this.#body?.enqueue(value);
          }),
        () => this.#fail('connection reset'),
      );
    };
    const bytes = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: () => this.#toServer('pull', readNext),
        cancel: () => this.#abandon(),
      },
      { highWaterMark: 0 },
    );
    const { status, headers } = response;
    this.#toClient('response', () =>
      this.#result.resolve(new Response(bytes, { status, headers })),
    );
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.worker?.connections.delete(this);
    this.#body?.close();
  }

  /** The client hangs up. */
  #abandon(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#result.reject(new DOMException('The operation was aborted.', 'AbortError'));
    this.#toServer('hang-up', () => {
      this.worker?.connections.delete(this);
      this.#controller.abort();
      this.#reader?.cancel().catch(() => {});
    });
  }

  #fail(message: string): void {
    this.worker?.connections.delete(this);
    this.#toClient('broken', () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      const error = new TypeError(message);
      this.#result.reject(error);
      this.#body?.error(error);
    });
  }

  #toServer(label: string, run: () => void): void {
    this.scheduler.after(this.#drawDelay(), label, run, this.worker?.process);
  }

  #toClient(label: string, run: () => void): void {
    this.scheduler.after(this.#drawDelay(), label, run, this.#client);
  }

  #drawDelay(): number {
    const { scheduler } = this;
    const dueMs = scheduler.nowMs + scheduler.drawDelay(MIN_NETWORK_MS, MAX_NETWORK_MS);
    this.#lastDueMs = Math.max(this.#lastDueMs + 1e-6, dueMs);
    return this.#lastDueMs - scheduler.nowMs;
  }
}
