import type { EmitEvent } from '../../event-log.ts';
import type { ReaderSource } from '../../store/open-store.ts';
import { runScrub } from './run-scrub.ts';
import type { ScrubMessage } from './scrub-message.ts';
import type { ScrubFindings, ScrubView } from './scrub-status.ts';

/** Checks everything that is stored again and again, in the background. */
export interface Scrubber extends ScrubView {
  /** From now on this process scrubs: of several that serve together, one does. */
  start(): void;
  /** What another process has found. */
  observe(findings: ScrubFindings): void;
  /** Another database has taken the place of the one that was scrubbed. */
  restart(): void;
  stop(): void;
}

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

export function createScrubber(options: ScrubberOptions): Scrubber {
  const { source, intervalMs, emit, onFindings = () => {} } = options;
  let findings = NOTHING_FOUND;
  let checkedRecords = 0;
  let isStarted = false;
  let timer: NodeJS.Timeout | undefined;
  let stopRunning: (() => void) | undefined;
  const setFindings = (changed: ScrubFindings) => {
    findings = changed;
    if (isStarted) onFindings(changed);
  };
  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, delayMs);
    timer.unref();
  };
  const scheduleFirst = () => {
    if (!isStarted || intervalMs === null) return;
    const dueMs = (findings.finishedAtMs ?? 0) + intervalMs - Date.now();
    schedule(Math.max(dueMs, Math.random() * Math.min(intervalMs, MAX_START_DELAY_MS)));
  };
  const run = () => {
    if (!source || intervalMs === null) return;
    const startedMs = Date.now();
    const count = { records: 0, faults: 0 };
    stopRunning = runScrub(source, (message) => {
      if (message.kind === 'progress') return addProgress(message, count);
      stopRunning = undefined;
      if (message.kind === 'failed') {
        emit({ event: 'scrub.failed', cause: message.cause });
        return schedule(Math.min(intervalMs, MAX_START_DELAY_MS));
      }
      const seconds = Math.round((Date.now() - startedMs) / 100) / 10;
      emit({ event: 'scrub.finished', ...count, seconds });
      setFindings({ finishedAtMs: Date.now(), faults: count.faults });
      schedule(Math.max(0, startedMs + intervalMs - Date.now()));
    });
  };
  const addProgress = (
    { records, faults }: Extract<ScrubMessage, { kind: 'progress' }>,
    count: { records: number; faults: number },
  ) => {
    checkedRecords += records;
    count.records += records;
    for (const fault of faults)
      if (count.faults++ < MAX_LOGGED_FAULTS) emit({ event: 'scrub.fault', fault });
    // A damaged store is told of at once, and a repaired one when all of it was checked.
    if (faults.length > 0 && count.faults > findings.faults)
      setFindings({ ...findings, faults: count.faults });
  };
  const cancel = () => {
    clearTimeout(timer);
    stopRunning?.();
    stopRunning = undefined;
  };
  return {
    status: () => ({ ...findings, checkedRecords }),
    start() {
      if (isStarted) return;
      isStarted = true;
      scheduleFirst();
    },
    observe(changed) {
      if (!isStarted) findings = changed;
    },
    restart() {
      cancel();
      setFindings(NOTHING_FOUND);
      scheduleFirst();
    },
    stop: cancel,
  };
}
