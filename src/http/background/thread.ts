// The background thread: runs jobs one slice at a time, for background-thread.ts.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { catalogue } from '../../catalogue/index.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import {
  openReader,
  type ReaderSource,
  type StoreReader,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import { AbandonedError } from './job-queue.ts';
import { createJobs, type ExportJob, type Jobs } from './jobs.ts';
import type { CallName, ThreadError, ThreadRequest, ThreadResponse } from './messages.ts';

let reader: StoreReader;
let jobs: Jobs;
const active = new Map<number, ActiveJob>();

interface ActiveJob {
  readonly controller: AbortController;
  readonly chunks?: AsyncGenerator<Uint8Array, undefined>;
}

lowerPriority();
parentPort?.on('message', (request: ThreadRequest) => {
  switch (request.kind) {
    case 'open':
      return open(request.source);
    case 'call':
      return runCall(request);
    case 'stream':
      return startStream(request);
    case 'next':
      return sendNextChunk(request.id);
    case 'cancel':
      return cancel(request.id);
    case 'close':
      reader.close();
      return parentPort?.close();
  }
});

/** Responses come first where there are fewer cores than busy threads; on Linux only. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(threadId, 10);
}

function open(source: ReaderSource): void {
  reader = openReader(source);
  jobs = createJobs(reader, catalogue);
}

type JobRequest = Extract<ThreadRequest, { kind: 'call' | 'stream' }>;

async function runCall({ id, name, job, newestSeen }: JobRequest): Promise<void> {
  const controller = new AbortController();
  active.set(id, { controller });
  reader.observeRevision(newestSeen);
  // Jobs that are cancelled before their turn are not begun.
  await yieldToEventLoop();
  try {
    if (controller.signal.aborted) throw new AbandonedError();
    const run = jobs[name as CallName] as (job: unknown, signal: AbortSignal) => Promise<unknown>;
    const value = await run(job, controller.signal);
    respond({ id, value, newestSeen: reader.newestSeen() });
  } catch (cause) {
    respond({ id, error: toThreadError(cause) });
  } finally {
    active.delete(id);
  }
}

function startStream({ id, job, newestSeen }: JobRequest): void {
  const controller = new AbortController();
  reader.observeRevision(newestSeen);
  active.set(id, { controller, chunks: jobs.exportFile(job as ExportJob, controller.signal) });
}

async function sendNextChunk(id: number): Promise<void> {
  try {
    const next = await active.get(id)?.chunks?.next();
    if (!next || next.done) active.delete(id);
    respond({ id, value: next?.value, newestSeen: reader.newestSeen() }, next?.value);
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
  // Closes the connection that it reads from; a failure has nobody to go to.
  job.chunks.return(undefined).catch(() => {});
}

/** A chunk that is a whole buffer is moved, not copied. */
function respond(response: ThreadResponse, chunk?: Uint8Array): void {
  const isWhole = chunk && chunk.byteLength === chunk.buffer.byteLength;
  parentPort?.postMessage(response, isWhole ? [chunk.buffer as ArrayBuffer] : []);
}

function toThreadError(cause: unknown): ThreadError {
  if (cause instanceof AbandonedError) return { kind: 'abandoned', message: '' };
  if (cause instanceof StoreUnavailableError)
    return { kind: 'unavailable', message: cause.message };
  const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return { kind: 'unexpected', message };
}
