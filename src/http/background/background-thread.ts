import { Worker } from 'node:worker_threads';
import {
  type ReaderSource,
  type StoreReader,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import type { Page } from './create-page.ts';
import { AbandonedError } from './job-queue.ts';
import type { Jobs, ReportAllocatedBytes } from './jobs.ts';
import type { CallName, ThreadError, ThreadRequest, ThreadResponse } from './messages.ts';

/** Runs jobs on a thread of its own, which starts with the first one. */
export interface BackgroundThread extends Jobs {
  /** Ends the thread; another job starts a new one, which opens the store again. */
  stop(): Promise<void>;
}

interface PendingResponse {
  readonly worker: Worker | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
}

/** Ends by itself once it has closed its store. */
const STOP_TIMEOUT_MS = 2_000;

export function createBackgroundThread(
  source: ReaderSource,
  reader: Pick<StoreReader, 'newestSeen' | 'observeRevision'>,
  reportAllocatedBytes: ReportAllocatedBytes,
): BackgroundThread {
  const pending = new Map<number, PendingResponse>();
  let worker: Worker | undefined;
  let lastId = 0;
  const receive = (response: ThreadResponse) => {
    const { resolve, reject } = pending.get(response.id) ?? {};
    pending.delete(response.id);
    if ('error' in response) return reject?.(toError(response.error));
    reader.observeRevision(response.newestSeen);
    resolve?.(response.value);
  };
  const handleExit = (ended: Worker, cause: Error) => {
    if (worker === ended) worker = undefined;
    for (const [id, response] of pending) {
      if (response.worker !== ended) continue;
      pending.delete(id);
      response.reject(cause);
    }
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./thread.ts', import.meta.url), { workerData: source });
    started.on('message', receive);
    started.on('error', (cause: Error) => handleExit(started, cause));
    started.on('exit', () => handleExit(started, new StoreUnavailableError(STOPPED_MESSAGE)));
    started.unref();
    return started;
  };
  const send = (request: ThreadRequest): Worker => {
    worker ??= start();
    worker.postMessage(request);
    return worker;
  };
  const waitForResponse = (id: number) =>
    new Promise<unknown>((resolve, reject) => pending.set(id, { worker, resolve, reject }));
  const cancel = (id: number) =>
    worker?.postMessage({ kind: 'cancel', id } satisfies ThreadRequest);
  /** The thread responds to a cancelled job too, once it has in fact ended. */
  const cancelOnAbort = (id: number, signal?: AbortSignal) => {
    if (signal?.aborted) throw new AbandonedError();
    const listener = () => cancel(id);
    signal?.addEventListener('abort', listener, { once: true });
    return () => signal?.removeEventListener('abort', listener);
  };
  const call = (name: CallName, job: unknown, signal?: AbortSignal): Promise<unknown> => {
    const id = ++lastId;
    const stopListening = cancelOnAbort(id, signal);
    send({ kind: 'call', id, name, job, newestSeen: reader.newestSeen() });
    return waitForResponse(id).finally(stopListening);
  };
  const createCall =
    <Name extends CallName>(name: Name) =>
    (job: Parameters<Jobs[Name]>[0], signal?: AbortSignal) =>
      call(name, job, signal) as ReturnType<Jobs[Name]>;
  return {
    async createPage(job, signal) {
      const page = (await call('createPage', job, signal)) as Page;
      reportAllocatedBytes(page.body?.size ?? 0);
      return page;
    },
    readCoverage: createCall('readCoverage'),
    readCorrections: createCall('readCorrections'),
    readChanges: createCall('readChanges'),
    async compress(job) {
      const compressed = (await call('compress', job)) as Blob;
      reportAllocatedBytes(compressed.size);
      return compressed;
    },
    async *exportFile(job, signal) {
      const id = ++lastId;
      const stopListening = cancelOnAbort(id, signal);
      const newestSeen = reader.newestSeen();
      const creator = send({ kind: 'stream', id, name: 'exportFile', job, newestSeen });
      try {
        for (;;) {
          // Another thread would take the file for one that has ended.
          if (worker !== creator) throw new StoreUnavailableError(STOPPED_MESSAGE);
          send({ kind: 'next', id });
          const chunk = (await waitForResponse(id)) as Uint8Array | undefined;
          if (!chunk) return undefined;
          yield chunk;
        }
      } finally {
        stopListening();
        cancel(id);
      }
    },
    async stop() {
      const stopped = worker;
      worker = undefined;
      if (!stopped) return;
      const exited = new Promise((resolve) => stopped.once('exit', resolve));
      stopped.postMessage({ kind: 'close' } satisfies ThreadRequest);
      await Promise.race([exited, Bun.sleep(STOP_TIMEOUT_MS)]);
      await stopped.terminate();
    },
  };
}

const STOPPED_MESSAGE = 'the thread that read it was stopped';

function toError({ kind, message }: ThreadError): Error {
  if (kind === 'abandoned') return new AbandonedError();
  return kind === 'unavailable' ? new StoreUnavailableError(message) : new Error(message);
}
