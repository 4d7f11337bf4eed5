import { Worker } from 'node:worker_threads';
import type { EmitEvent } from '../../event-log.ts';
import type { ReaderSource } from '../../store/open-store.ts';
import type { ScrubFindings, ScrubStatus, ScrubView } from './scrub-status.ts';

/** Messages from the thread of a scrub. */
export type ScrubMessage =
  /** Since the last message of this kind. */
  | { readonly kind: 'progress'; readonly records: number; readonly faults: readonly string[] }
  | { readonly kind: 'finished' }
  /** The store could not be read: nothing is known of it. */
  | { readonly kind: 'failed'; readonly cause: string };

interface ScrubberOptions {
  /** Absent where no other thread can read the store. */
  readonly source: ReaderSource | undefined;
  /** Null for never. */
  readonly intervalMs: number | null;
  readonly emit: EmitEvent;
  /** Called when what is known has changed. */
  readonly onFindings?: ((findings: ScrubFindings) => void) | undefined;
}

/** A server that is started every day still gets to it, and many do not start at the same time. */
const MAX_START_DELAY_MS = 3_600_000;
/** One page may damage thousands of records. */
const MAX_LOGGED_FAULTS = 20;

const NOTHING_FOUND: ScrubFindings = { finishedAtMs: null, faults: 0 };

/** Checks everything that is stored again and again, in the background. */
export class Scrubber implements ScrubView {
  #findings = NOTHING_FOUND;
  #checkedRecords = 0;
  #isStarted = false;
  #timer: NodeJS.Timeout | undefined;
  #stopRunning: (() => void) | undefined;

  constructor(private readonly options: ScrubberOptions) {}

  status(): ScrubStatus {
    return { ...this.#findings, checkedRecords: this.#checkedRecords };
  }

  /** From now on this process scrubs: of several that serve together, one does. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#scheduleFirst();
  }

  /** Takes over the findings of another process. */
  observe(findings: ScrubFindings): void {
    if (!this.#isStarted) this.#findings = findings;
  }

  /** Another database has taken the place of the one that was scrubbed. */
  restart(): void {
    this.stop();
    this.#setFindings(NOTHING_FOUND);
    if (this.#isStarted) this.#scheduleFirst();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopRunning?.();
    this.#stopRunning = undefined;
  }

  #scheduleFirst(): void {
    const { intervalMs } = this.options;
    if (intervalMs === null) return;
    const dueMs = (this.#findings.finishedAtMs ?? 0) + intervalMs - Date.now();
    const spreadMs = Math.random() * Math.min(intervalMs, MAX_START_DELAY_MS);
    this.#schedule(Math.max(dueMs, spreadMs), intervalMs);
  }

  #schedule(delayMs: number, intervalMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(intervalMs), delayMs);
    this.#timer.unref();
  }

  #run(intervalMs: number): void {
    const { source, emit } = this.options;
    if (!source) return;
    const startedMs = Date.now();
    const count = { records: 0, faults: 0 };
    this.#stopRunning = runScrub(source, (message) => {
      if (message.kind === 'progress') return this.#addProgress(message, count);
      this.#stopRunning = undefined;
      if (message.kind === 'failed') {
        emit({ event: 'scrub.failed', cause: message.cause });
        return this.#schedule(Math.min(intervalMs, MAX_START_DELAY_MS), intervalMs);
      }
      const seconds = Math.round((Date.now() - startedMs) / 100) / 10;
      emit({ event: 'scrub.finished', ...count, seconds });
      this.#setFindings({ finishedAtMs: Date.now(), faults: count.faults });
      this.#schedule(Math.max(0, startedMs + intervalMs - Date.now()), intervalMs);
    });
  }

  #addProgress(
    { records, faults }: Extract<ScrubMessage, { kind: 'progress' }>,
    count: { records: number; faults: number },
  ): void {
    this.#checkedRecords += records;
    count.records += records;
    for (const fault of faults)
      if (count.faults++ < MAX_LOGGED_FAULTS) this.options.emit({ event: 'scrub.fault', fault });
    // Damage is known at once, and a repair when all of the store was checked.
    if (count.faults > this.#findings.faults)
      this.#setFindings({ ...this.#findings, faults: count.faults });
  }

  #setFindings(findings: ScrubFindings): void {
    this.#findings = findings;
    if (this.#isStarted) this.options.onFindings?.(findings);
  }
}

/** It ends by itself between two slices; a statement in progress is not waited for. */
const STOP_TIMEOUT_MS = 1_000;

/** Starts one scrub on a thread of its own. Returns a function that stops it. */
function runScrub(source: ReaderSource, onMessage: (message: ScrubMessage) => void): () => void {
  const worker = new Worker(new URL('./scrub-thread.ts', import.meta.url), { workerData: source });
  let isEnded = false;
  const handle = (message: ScrubMessage) => {
    if (isEnded) return;
    isEnded = message.kind !== 'progress';
    onMessage(message);
  };
  worker.on('message', handle);
  worker.on('error', (cause: Error) => handle({ kind: 'failed', cause: cause.message }));
  worker.on('exit', () => handle({ kind: 'failed', cause: 'its thread ended' }));
  worker.unref();
  return () => {
    if (isEnded) return;
    isEnded = true;
    worker.postMessage('stop');
    setTimeout(() => worker.terminate(), STOP_TIMEOUT_MS).unref();
  };
}
