// The thread of one scrub: checks the whole store at its leisure, for scrubber.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { Catalogue } from '../../catalogue/catalogues.ts';
import { catalogue } from '../../catalogue/index.ts';
import { checkStore } from '../../check/check-store.ts';
import { formatCause } from '../../shared/format-cause.ts';
import { formatPublicAddress } from '../../shared/postgres-url.ts';
import { system } from '../../shared/system.ts';
import { listCopies, openCopyInspector } from '../../store/open-reader.ts';
import {
  type ReaderSource,
  StoreDamagedError,
  type StoreInspector,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import { lowerThreadPriority } from '../background/lower-thread-priority.ts';
import { EVERYTHING } from './known-damage.ts';
import { type Fault, getPauseMs, type ScrubJob, type ScrubMessage } from './run-scrub.ts';

/** Everything else that the machine has to do comes first. */
const NICENESS = 19;
/** Work between two pauses. */
const MIN_WORK_MS = 10;

const { source, declared, coreShare } = workerData as ScrubJob;
const datasets = new Catalogue(catalogue, declared).listWithRetired();
lowerThreadPriority(NICENESS);
// Any message means that it is to end.
parentPort?.on('message', () => process.exit(0));
await run();

async function run(): Promise<void> {
  try {
    const progress = createProgress();
    // Each server has a copy of its own; one that is unreachable is not read by requests either.
    const results = [];
    const copies = listCopies(source);
    for (const copy of copies)
      results.push(
        await scrubCopy(copy, copies.length > 1 ? nameServer(copy, progress) : progress),
      );
    const [failure] = results;
    if (results.every((result) => result !== undefined)) throw failure;
    progress.send();
    send({ kind: 'finished' });
  } catch (cause) {
    const isExpected = cause instanceof StoreUnavailableError;
    send({ kind: 'failed', cause: isExpected ? cause.message : formatCause(cause) });
  }
  parentPort?.close();
}

/** Returns why a copy cannot be read now, if so. */
async function scrubCopy(copy: ReaderSource, progress: ReturnType<typeof createProgress>) {
  let inspector: StoreInspector | undefined;
  try {
    inspector = openCopyInspector(copy, datasets);
    await checkStore(inspector, { catalogue, ...progress });
    return undefined;
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError)) throw cause;
    if (!(cause instanceof StoreDamagedError)) return cause;
    return progress.reportFault(`the database cannot be opened: ${cause.message}`);
  } finally {
    inspector?.close();
  }
}

/** The same progress, whose faults name the server. */
function nameServer(copy: ReaderSource, progress: ReturnType<typeof createProgress>) {
  const server = 'urls' in copy ? formatPublicAddress(copy.urls[0] ?? '') : copy.path;
  const reportFault: typeof progress.reportFault = (text, damaged) =>
    progress.reportFault(`${server}: ${text}`, damaged);
  return { ...progress, reportFault };
}

/** Pauses in proportion to the work before, and then says how far the scrub has come. */
function createProgress() {
  let records = 0;
  let faults: Fault[] = [];
  let startedMs = measureWork();
  const sendProgress = () => {
    send({ kind: 'progress', records, faults });
    records = 0;
    faults = [];
  };
  return {
    send: sendProgress,
    reportFault(text: string, damaged: readonly string[] = [EVERYTHING]): undefined {
      faults.push({ text, damaged });
    },
    async afterSlice(count: number) {
      records += count;
      const workMs = measureWork() - startedMs;
      if (workMs < MIN_WORK_MS) return;
      sendProgress();
      await system.sleep(getPauseMs(workMs, coreShare));
      startedMs = measureWork();
    },
  };
}

/** The time of a core that was used; on a server it is not known, and the time counts until it responds. */
function measureWork(): number {
  if (!('path' in source)) return system.monotonicNow();
  const { user, system: kernel } = process.threadCpuUsage();
  return (user + kernel) / 1_000;
}

function send(message: ScrubMessage): void {
  parentPort?.postMessage(message);
}
