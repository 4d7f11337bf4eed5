import { ResponseStream } from '../../http/responses/response-stream.ts';
import type { Principal } from '../../tokens/principal.ts';

/** Bytes that wait for a client that does not read; one with more is disconnected. */
const MAX_PENDING_BYTES = 262_144;

interface EventStreamOptions {
  /** The last revision that the client knows. */
  readonly after: number;
  /** The tick of the timer in which it gets its comments. */
  readonly commentTick: number;
  /** Called when the client has read everything. */
  readonly onWaiting: () => void;
  readonly onEnd: () => void;
}

/** The events of one client. Chunks wait until it reads. */
export class EventStream extends ResponseStream {
  /** The last revision whose event was sent, or was not for this token. */
  revision: number;
  /** Whether it waits for new revisions: before that, it reads earlier ones from the ledger. */
  isLive = false;
  isReading = false;
  stalledTicks = 0;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Whether the client has read everything that was sent. */
  #isWaiting = false;

  constructor(
    readonly principal: Principal,
    signal: AbortSignal,
    readonly options: EventStreamOptions,
  ) {
    super(signal, options.onEnd);
    this.revision = options.after;
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
    else this.options.onWaiting();
  }

  #sendPending(): void {
    const chunk = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#isWaiting = false;
    if (chunk) this.enqueue(chunk);
  }
}
