// The background thread: runs jobs one slice at a time, for background-thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { catalogue } from '../../catalogue/index.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { system } from '../../shared/system.ts';
import { openReader } from '../../store/open-reader.ts';
import {
  type ReaderSource,
  StoreDamagedError,
  type StoreReader,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import type { ThreadError, ThreadRequest, ThreadResponse } from './background-thread.ts';
import { createGarbageCollectionTrigger } from './garbage-collection.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { lowerThreadPriority, readThreadId } from './lower-thread-priority.ts';

/** Low enough for responses to come first, but not last behind all other processes. */
const NICENESS = 10;

let opened: { readonly reader: StoreReader; readonly jobs: Jobs } | undefined;
const reportAllocatedBytes = createGarbageCollectionTrigger('now');
const active = new Map<number, ActiveJob>();

type RequestOf<Kind> = Extract<ThreadRequest, { kind: Kind }>;

interface ActiveJob {
  readonly controller: AbortController;
  readonly chunks?: AsyncGenerator<Uint8Array, undefined>;
}

// Responses come first where there are fewer cores than busy threads.
lowerThreadPriority(NICENESS);
respond({ statusFile: `/proc/self/task/${readThreadId()}/stat` });
parentPort?.on('message', (request: ThreadRequest) => {
  switch (request.kind) {
    case 'call':
      return runCall(request);
    case 'stream':
      return startStream(request);
    case 'next':
      return sendNextChunk(request.id);
    case 'cancel':
      return cancel(request.id);
    case 'ping':
      return respond({ isAlive: true });
    case 'close':
      opened?.reader.close();
      return parentPort?.close();
  }
});

/** Opens the store for the first job; after a failure, for the next one. */
function getJobs(newestSeen: number): Jobs {
  if (!opened) {
    const reader = openReader(workerData as ReaderSource);
    opened = { reader, jobs: createJobs(reader, catalogue, reportAllocatedBytes) };
  }
  opened.reader.observeRevision(newestSeen);
  return opened.jobs;
}

async function runCall({ id, name, values, newestSeen }: RequestOf<'call'>): Promise<void> {
  const controller = new AbortController();
  active.set(id, { controller });
  // Jobs that are cancelled before their turn never start.
  await system.nextTurn();
  try {
    if (controller.signal.aborted) throw new AbandonedError();
    const run = getJobs(newestSeen)[name] as (...values: unknown[]) => Promise<unknown>;
    // Pages are read for a client, which is the last value.
    const value = await run(...values, controller);
    respond({ id, value, newestSeen: opened?.reader.newestSeen() ?? 0 });
  } catch (cause) {
    respond({ id, error: toThreadError(cause) });
  } finally {
    active.delete(id);
  }
}

function startStream({ id, job, newestSeen }: RequestOf<'stream'>): void {
  const controller = new AbortController();
  // As a generator, so that a failure to open the store comes with the first chunk.
  const chunks = (async function* () {
    return yield* getJobs(newestSeen).exportFile(job, controller.signal);
  })();
  active.set(id, { controller, chunks });
}

async function sendNextChunk(id: number): Promise<void> {
  try {
    const next = await active.get(id)?.chunks?.next();
    if (!next || next.done) active.delete(id);
    const newestSeen = opened?.reader.newestSeen() ?? 0;
    respond({ id, value: next?.value, newestSeen }, next?.value);
  } catch (cause) {
    active.delete(id);
    respond({ id, error: toThreadError(cause) });
  }
}

function cancel(id: number): void {
  const job = active.get(id);
  job?.controller.abort();
  if (!job?.chunks) return;
  active.delete(id);
  // Closes the connection that it reads from; a failure has no reader.
  job.chunks.return(undefined).catch(() => {});
}

/** A chunk that is a whole buffer is moved, not copied. */
function respond(response: ThreadResponse, chunk?: Uint8Array): void {
  const isWhole = chunk && chunk.byteLength === chunk.buffer.byteLength;
  parentPort?.postMessage(response, isWhole ? [chunk.buffer as ArrayBuffer] : []);
}

function toThreadError(cause: unknown): ThreadError {
  if (cause instanceof AbandonedError) return { kind: 'abandoned', message: '' };
  // Stored texts are JSON, which is parsed wherever it is not sent as it is.
  if (cause instanceof StoreDamagedError || cause instanceof SyntaxError)
    return { kind: 'damaged', message: cause.message };
  if (cause instanceof StoreUnavailableError)
    return { kind: 'unavailable', message: cause.message };
  const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return { kind: 'unexpected', message };
}
