// The thread of one scrub: checks the whole store at its leisure, for scrubber.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { catalogue } from '../../catalogue/index.ts';
import { scrubStore } from '../../check/scrub-store.ts';
import {
  openScrubReader,
  type ReaderSource,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import { lowerThreadPriority } from '../background/lower-thread-priority.ts';
import type { ScrubMessage } from './scrubber.ts';

/** Everything else that the machine has to do comes first. */
const NICENESS = 19;
/** The share of one core that a scrub takes. */
const CPU_SHARE = 0.04;
/** The share of the time in which it waits for the disk, or for a core that others have. */
const BUSY_SHARE = 0.25;
/** Work between two pauses. */
const MIN_WORK_MS = 10;
/** After a check of a whole table, too. */
const MAX_PAUSE_MS = 60_000;

lowerThreadPriority(NICENESS);
// Any message means that it is to end.
parentPort?.on('message', () => process.exit(0));
await run();

async function run(): Promise<void> {
  try {
    const reader = openScrubReader(workerData as ReaderSource, catalogue);
    const progress = createProgress();
    await scrubStore(reader, { catalogue, ...progress });
    reader.close();
    progress.send();
    send({ kind: 'finished' });
  } catch (cause) {
    const isExpected = cause instanceof StoreUnavailableError;
    const { message, stack } = cause as Error;
    send({ kind: 'failed', cause: isExpected ? message : (stack ?? message) });
  }
  parentPort?.close();
}

/** Pauses in proportion to the work before, and then says how far the scrub has come. */
function createProgress() {
  let records = 0;
  let faults: string[] = [];
  let started = readClocks();
  const sendProgress = () => {
    send({ kind: 'progress', records, faults });
    records = 0;
    faults = [];
  };
  return {
    send: sendProgress,
    reportFault(fault: string) {
      faults.push(fault);
    },
    async afterSlice(count: number) {
      records += count;
      const { wallMs, cpuMs } = readClocks();
      const [busyMs, workMs] = [wallMs - started.wallMs, cpuMs - started.cpuMs];
      if (busyMs < MIN_WORK_MS) return;
      sendProgress();
      const pauseMs = Math.max(workMs * (1 / CPU_SHARE - 1), busyMs * (1 / BUSY_SHARE - 1));
      await Bun.sleep(Math.min(MAX_PAUSE_MS, pauseMs));
      started = readClocks();
    },
  };
}

/** The time, and how much of a core the thread has used. */
function readClocks(): { readonly wallMs: number; readonly cpuMs: number } {
  const { user, system } = process.threadCpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1_000 };
}

function send(message: ScrubMessage): void {
  parentPort?.postMessage(message);
}
