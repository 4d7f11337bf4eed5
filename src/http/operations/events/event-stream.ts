import { ResponseStream } from '../../responses/response-stream.ts';

/** What waits for a client that does not read; one with more is disconnected. */
const MAX_PENDING_BYTES = 262_144;

/** The events of one client. Chunks wait until it reads. */
export class EventStream extends ResponseStream {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Whether the client has read everything that was sent. */
  #isWaiting = false;

  /** `onWaiting` is called when the client has read everything, `onEnd` once. */
  constructor(
    private readonly onWaiting: () => void,
    onEnd: () => void,
    signal: AbortSignal,
  ) {
    super(signal, onEnd);
  }

  get isWaiting(): boolean {
    return this.#isWaiting && !this.isEnded;
  }

  send(chunk: Uint8Array): void {
    if (this.isEnded || chunk.length === 0) return;
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#isWaiting) this.#sendPending();
    else if (this.#pendingBytes > MAX_PENDING_BYTES) this.disconnect();
  }

  protected pull(): void {
    if (this.isEnded) return;
    this.#isWaiting = true;
    if (this.#pending.length > 0) this.#sendPending();
    else this.onWaiting();
  }

  #sendPending(): void {
    const chunk = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#isWaiting = false;
    if (chunk) this.enqueue(chunk);
  }
}
