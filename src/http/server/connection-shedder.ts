import type { EmitEvent, LogEvent } from '../../event-log.ts';
import { countOpenFiles, readFileLimit } from '../../shared/open-files.ts';
import { system } from '../../shared/system.ts';
import type { ReplaceableListener } from './replaceable-listener.ts';

const POLL_INTERVAL_MS = 100;
const REPORT_INTERVAL_MS = 60_000;
/** Of the files that the system allows; the others are for the database and for bursts. */
const FULL_AT = 0.9;
const REOPEN_AT = 0.75;
/** By then Bun has closed the connections that have sent nothing, which it does after 12 s. */
const MAX_CLOSED_MS = 15_000;

type SheddingListener = Pick<
  ReplaceableListener,
  'isClosed' | 'closeIdleConnections' | 'close' | 'reopen'
>;

/**
 * Frees file descriptors before none is left, since Bun would try to accept without a pause, which
 * takes a whole core: closes idle connections and, if that is not enough, the port until there
 * is room again.
 */
export class ConnectionShedder {
  #closedMs = 0;
  /** When an event was last emitted. */
  readonly #reportedMs = new Map<LogEvent['event'], number>();

  constructor(
    private readonly listener: SheddingListener,
    private readonly emit: EmitEvent,
    private readonly fileLimit = readFileLimit(),
  ) {}

  /** Returns what ends it; does nothing if the system tells no limit. */
  start(): () => void {
    if (!Number.isFinite(this.fileLimit)) return () => {};
    // If they cannot be counted, no descriptor is left to count them with.
    const poll = () => this.poll(countOpenFiles() ?? this.fileLimit, system.monotonicNow());
    const timer = system.setInterval(poll, POLL_INTERVAL_MS).unref();
    return () => timer.cancel();
  }

  poll(openFiles: number, nowMs: number): void {
    if (this.listener.isClosed) {
      const hasRoom = openFiles < this.fileLimit * REOPEN_AT;
      if (hasRoom || nowMs - this.#closedMs > MAX_CLOSED_MS) this.#reopen(nowMs);
    } else if (openFiles >= this.fileLimit * FULL_AT) this.#shed(openFiles, nowMs);
  }

  #shed(openFiles: number, nowMs: number): void {
    this.#report({ event: 'connections.full', openFiles, fileLimit: this.fileLimit }, nowMs);
    // Those with TLS keep their descriptors until the next turn of the event loop.
    const remaining = openFiles - this.listener.closeIdleConnections();
    if (remaining < this.fileLimit * FULL_AT) return;
    this.listener.close();
    this.#closedMs = nowMs;
  }

  #reopen(nowMs: number): void {
    try {
      this.listener.reopen();
    } catch (cause) {
      this.#report({ event: 'listen.failed', cause: String(cause) }, nowMs);
    }
  }

  #report(event: LogEvent, nowMs: number): void {
    const reportedMs = this.#reportedMs.get(event.event) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - reportedMs < REPORT_INTERVAL_MS) return;
    this.#reportedMs.set(event.event, nowMs);
    this.emit(event);
  }
}
